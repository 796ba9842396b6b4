// LLVM's `mem2reg` without its pass manager, which the C interface cannot do: asking that interface for a pass by its
// name links every pass there is, and each of them has something to set up whenever the tool is started.

#include "llvm-c/Core.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <vector>

using namespace llvm;

/// The local variables of a function that can become registers.
static std::vector<AllocaInst *> promotable(Function &function) {
    std::vector<AllocaInst *> found;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && isAllocaPromotable(alloca))
            found.push_back(alloca);
    return found;
}

/// Promotes what can be promoted in all functions of a module, except those that ask not to be touched, as the pass
/// manager does.
extern "C" void selvedge_promote(LLVMModuleRef module) {
    for (Function &function : *unwrap(module)) {
        if (function.isDeclaration() || function.hasFnAttribute(Attribute::OptimizeNone))
            continue;
        std::vector<AllocaInst *> variables = promotable(function);
        if (variables.empty())
            continue;
        DominatorTree dominators(function);
        AssumptionCache assumptions(function);
        // A pointer variable that is promoted can be the last that kept another from it.
        for (; !variables.empty(); variables = promotable(function))
            PromoteMemToReg(variables, dominators, &assumptions);
    }
}
