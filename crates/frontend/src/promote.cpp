// Local variables in registers, as LLVM's `mem2reg` has them, for what clang makes of C at `-O0`.
//
// LLVM's own takes time that is quadratic in the number of variables and blocks: for each variable that is stored to in
// several blocks it walks over all that these dominate, which in a long function is the rest of the function; and for each
// block behind a `switch` over all of its cases. Here each variable takes time for where it is live, and for nothing else.
//
// A variable that is stored to once, before all its loads, is what is stored. For any other: each load that a store of the same block comes before reads what is stored. The others read what is
// there at the beginning of their block. Backwards from these, up to blocks with a store, are the blocks where the variable
// is live at the beginning; in the order of control they get a value: that of their predecessors if these agree, a phi
// otherwise, or where a predecessor comes later (a loop). Phis whose operands are all the same then go. (Braun et al.,
// "Simple and Efficient Construction of Static Single Assignment Form", 2013.)
//
// It is called without a pass manager, which the C interface cannot do: asking that interface for a pass by its name links
// every pass there is, and each of them has something to set up whenever the tool is started.

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace {

/// Stands for a block that control cannot reach, and for no phi.
constexpr unsigned None = ~0u;

/// What a variable holds: a value, or what a phi gives, which may be replaced.
struct Content {
    Value *value = nullptr;
    unsigned phi = None;

    bool operator==(const Content &other) const { return value == other.value && phi == other.phi; }
    bool known() const { return value || phi != None; }
};

/// A place where values of a variable meet.
struct Phi {
    unsigned block;
    /// What comes from each predecessor.
    std::vector<Content> operands;
    /// The phis that it is an operand of.
    std::vector<unsigned> users;
    /// What it is replaced by, if it is.
    Content instead;
    PHINode *node = nullptr;
};

/// What is known of a block, for one variable.
struct BlockState {
    /// The variable that this is about.
    unsigned variable = None;
    /// Whether its value at the beginning is needed.
    bool live = false;
    /// Its value at the beginning, and at the end.
    Content in, out;
};

/// Promotes the variables of a function, one by one.
class Promotion {
    DIBuilder builder;
    /// The blocks that control can reach, in reverse postorder.
    std::vector<BasicBlock *> blocks;
    /// The position of each block among these, by LLVM's number for it.
    std::vector<unsigned> positions;
    std::vector<std::vector<unsigned>> predecessors;
    /// Where variables, loads and stores stand. (LLVM knows, too, but counts anew when a phi is added to a block.)
    DenseMap<const Instruction *, unsigned> order;
    std::vector<BlockState> states;
    unsigned variables = 0;
    std::vector<Phi> phis;
    DominatorTree dominators;
    /// Variables, loads and stores that are replaced, and the first instruction of each block behind its phis.
    std::vector<Instruction *> replaced;
    std::vector<Instruction *> firsts;

    unsigned position(const Instruction &instruction) const { return positions[instruction.getParent()->getNumber()]; }

    BlockState &state(unsigned block) {
        BlockState &state = states[block];
        if (state.variable != variables)
            state = BlockState{variables, false, {}, {}};
        return state;
    }

    /// The value at the end of a block, if it is known yet.
    Content at_end(unsigned block) {
        BlockState &found = state(block);
        return resolve(found.out.known() ? found.out : found.in);
    }

    Content resolve(Content content) {
        while (content.phi != None && phis[content.phi].instead.known()) {
            Content next = phis[content.phi].instead;
            // What is found is remembered half way, so that chains stay short.
            if (next.phi != None && phis[next.phi].instead.known())
                phis[content.phi].instead = phis[next.phi].instead;
            content = next;
        }
        return content;
    }

    std::vector<Instruction *> accesses(AllocaInst &variable);
    Content only_content(ArrayRef<Instruction *> all, Value *uninitialised);
    std::vector<unsigned> live_blocks(std::vector<unsigned> users);
    void find_values(ArrayRef<unsigned> live, Value *uninitialised);
    void remove_trivial_phis(Value *uninitialised);
    void create_phis(Type *type);
    void describe(AllocaInst &variable, ArrayRef<Instruction *> all);

  public:
    explicit Promotion(Function &function);
    void promote(AllocaInst &variable);
    void remove_replaced();
};

Promotion::Promotion(Function &function)
    : builder(*function.getParent(), false), positions(function.getMaxBlockNumber(), None), dominators(function) {
    ReversePostOrderTraversal<Function *> traversal(&function);
    blocks.assign(traversal.begin(), traversal.end());
    for (unsigned index = 0; index < blocks.size(); index++)
        positions[blocks[index]->getNumber()] = index;
    predecessors.resize(blocks.size());
    for (unsigned index = 0; index < blocks.size(); index++)
        for (BasicBlock *next : successors(blocks[index])) {
            std::vector<unsigned> &before = predecessors[positions[next->getNumber()]];
            if (before.empty() || before.back() != index)
                before.push_back(index);
        }
    states.resize(blocks.size());
    firsts.resize(blocks.size());
    for (BasicBlock &block : function)
        for (Instruction &instruction : block)
            if (isa<AllocaInst>(instruction) || isa<LoadInst>(instruction) || isa<StoreInst>(instruction))
                order.try_emplace(&instruction, order.size());
}

/// The loads and stores of a variable, in the order in which they stand. What else uses it, which are markers, is removed.
std::vector<Instruction *> Promotion::accesses(AllocaInst &variable) {
    std::vector<Instruction *> found;
    for (User *user : make_early_inc_range(variable.users())) {
        auto *instruction = cast<Instruction>(user);
        if (isa<LoadInst>(instruction) || isa<StoreInst>(instruction)) {
            found.push_back(instruction);
            continue;
        }
        for (User *marker : make_early_inc_range(instruction->users()))
            cast<Instruction>(marker)->eraseFromParent();
        instruction->eraseFromParent();
    }
    std::sort(found.begin(), found.end(), [&](const Instruction *left, const Instruction *right) {
        return order.lookup(left) < order.lookup(right);
    });
    return found;
}

/// What a variable always holds where it is read, if it is that simple.
Content Promotion::only_content(ArrayRef<Instruction *> all, Value *uninitialised) {
    StoreInst *only = nullptr;
    for (Instruction *access : all)
        if (auto *store = dyn_cast<StoreInst>(access)) {
            if (only)
                return {};
            only = store;
        }
    if (!only)
        return Content{uninitialised, None};
    for (Instruction *access : all) {
        bool first = access->getParent() == only->getParent() ? order.lookup(only) <= order.lookup(access)
                                                              : dominators.dominates(only->getParent(), access->getParent());
        if (!first)
            return {};
    }
    return Content{only->getValueOperand(), None};
}

/// The blocks where the variable is live at the beginning, if it is in those that are given.
std::vector<unsigned> Promotion::live_blocks(std::vector<unsigned> users) {
    std::vector<unsigned> live;
    while (!users.empty()) {
        unsigned block = users.back();
        users.pop_back();
        if (std::exchange(state(block).live, true))
            continue;
        live.push_back(block);
        for (unsigned before : predecessors[block])
            if (!state(before).out.known())
                users.push_back(before);
    }
    std::sort(live.begin(), live.end());
    return live;
}

/// Gives each block where the variable is live its value at the beginning.
void Promotion::find_values(ArrayRef<unsigned> live, Value *uninitialised) {
    phis.clear();
    for (unsigned block : live) {
        Content common;
        bool agree = true;
        for (unsigned before : predecessors[block]) {
            Content one = at_end(before);
            agree &= one.known() && (!common.known() || one == common);
            common = one;
        }
        if (predecessors[block].empty())
            common.value = uninitialised;
        if (!agree) {
            common = Content{nullptr, unsigned(phis.size())};
            phis.push_back(Phi{block, {}, {}, {}, nullptr});
        }
        state(block).in = common;
    }
    for (unsigned number = 0; number < phis.size(); number++)
        for (unsigned before : predecessors[phis[number].block]) {
            Content operand = at_end(before);
            phis[number].operands.push_back(operand);
            if (operand.phi != None)
                phis[operand.phi].users.push_back(number);
        }
}

/// Replaces phis that have one operand, other than themselves.
void Promotion::remove_trivial_phis(Value *uninitialised) {
    std::vector<unsigned> pending;
    for (unsigned number = 0; number < phis.size(); number++)
        pending.push_back(number);
    while (!pending.empty()) {
        unsigned number = pending.back();
        pending.pop_back();
        if (phis[number].instead.known())
            continue;
        Content only;
        bool trivial = true;
        for (Content operand : phis[number].operands) {
            operand = resolve(operand);
            if (operand.phi == number)
                continue;
            trivial &= !only.known() || operand == only;
            only = operand;
        }
        if (!trivial)
            continue;
        if (!only.known())
            only.value = uninitialised;
        phis[number].instead = only;
        for (unsigned user : phis[number].users) {
            if (phis[user].instead.known())
                continue;
            pending.push_back(user);
            if (only.phi != None)
                phis[only.phi].users.push_back(user);
        }
    }
}

/// Makes LLVM's phis of those that are left.
void Promotion::create_phis(Type *type) {
    for (Phi &phi : phis)
        if (!phi.instead.known()) {
            BasicBlock *block = blocks[phi.block];
            phi.node = PHINode::Create(type, phi.operands.size(), "", block->begin());
        }
}

/// Replaces a variable by values.
void Promotion::promote(AllocaInst &variable) {
    variables++;
    Value *uninitialised = UndefValue::get(variable.getAllocatedType());
    std::vector<Instruction *> all = accesses(variable);

    // Within blocks.
    Content only = only_content(all, uninitialised);
    std::vector<std::pair<LoadInst *, Content>> loads;
    std::vector<unsigned> users;
    for (Instruction *access : all) {
        unsigned block = position(*access);
        if (block == None || only.known()) {
            if (auto *load = dyn_cast<LoadInst>(access))
                loads.push_back({load, block == None ? Content{uninitialised, None} : only});
            continue;
        }
        BlockState &here = state(block);
        if (auto *store = dyn_cast<StoreInst>(access)) {
            here.out = Content{store->getValueOperand(), None};
        } else {
            loads.push_back({cast<LoadInst>(access), here.out});
            if (!here.out.known())
                users.push_back(block);
        }
    }

    // Between blocks.
    find_values(live_blocks(users), uninitialised);
    remove_trivial_phis(uninitialised);
    create_phis(variable.getAllocatedType());

    // A value may be a load of this very variable, which is replaced, too: after the loads before it.
    DenseMap<Value *, Value *> values;
    auto value = [&](Content content) {
        content = resolve(content);
        Value *value = content.phi != None ? phis[content.phi].node : content.value;
        for (auto found = values.find(value); found != values.end(); found = values.find(value))
            value = found->second;
        return value;
    };
    for (auto [load, content] : loads) {
        Value *by = value(content.known() ? content : state(position(*load)).in);
        // Only code that is never executed can read what it has itself read.
        values[load] = by == load ? uninitialised : by;
    }
    for (Phi &phi : phis)
        if (phi.node) {
            BasicBlock *block = blocks[phi.block];
            DenseMap<unsigned, Value *> incoming;
            for (unsigned index = 0; index < phi.operands.size(); index++)
                incoming[predecessors[phi.block][index]] = value(phi.operands[index]);
            // One for each edge.
            for (BasicBlock *before : llvm::predecessors(block)) {
                auto found = incoming.find(positions[before->getNumber()]);
                phi.node->addIncoming(found == incoming.end() ? uninitialised : found->second, before);
            }
        }

    describe(variable, all);
    for (auto [load, content] : loads)
        load->replaceAllUsesWith(value(Content{load, None}));
    replaced.push_back(&variable);
    replaced.insert(replaced.end(), all.begin(), all.end());
}

/// Makes debug information, which says where a variable is, say which values it has.
void Promotion::describe(AllocaInst &variable, ArrayRef<Instruction *> all) {
    for (DbgVariableRecord *declaration : findDVRDeclares(&variable)) {
        for (Instruction *access : all)
            if (auto *store = dyn_cast<StoreInst>(access))
                ConvertDebugDeclareToDebugValue(declaration, store, builder);
        for (Phi &phi : phis)
            if (phi.node) {
                Instruction *&first = firsts[phi.block];
                if (!first)
                    first = &*blocks[phi.block]->getFirstInsertionPt();
                auto *record = new DbgVariableRecord(ValueAsMetadata::get(phi.node), declaration->getVariable(),
                                                     declaration->getExpression(), declaration->getDebugLoc(),
                                                     DbgVariableRecord::LocationType::Value);
                first->getParent()->insertDbgRecordBefore(record, first->getIterator());
            }
        declaration->eraseFromParent();
    }
}

/// Removes what is replaced, the last first: an instruction that goes leaves the debug information before it to the next
/// one, where it should not pile up.
void Promotion::remove_replaced() {
    std::sort(replaced.begin(), replaced.end(), [&](const Instruction *left, const Instruction *right) {
        return order.lookup(left) > order.lookup(right);
    });
    for (Instruction *instruction : replaced)
        instruction->eraseFromParent();
    replaced.clear();
    std::fill(firsts.begin(), firsts.end(), nullptr);
}

/// The local variables of a function that can become registers.
std::vector<AllocaInst *> promotable(Function &function) {
    std::vector<AllocaInst *> found;
    for (Instruction &instruction : function.getEntryBlock())
        if (auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && isAllocaPromotable(alloca))
            found.push_back(alloca);
    return found;
}

} // namespace

/// The DWARF encoding of a basic type, 0 for any other node: the C interface does not give it.
extern "C" unsigned selvedge_encoding(LLVMMetadataRef node) {
    auto *type = dyn_cast<DIBasicType>(unwrap(node));
    return type ? type->getEncoding() : 0;
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
        Promotion promotion(function);
        // A pointer variable that is promoted can be the last that kept another from it.
        for (; !variables.empty(); variables = promotable(function)) {
            for (AllocaInst *variable : variables)
                promotion.promote(*variable);
            promotion.remove_replaced();
        }
    }
}
