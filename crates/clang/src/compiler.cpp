// clang's front end in an executable of its own: a driver, a parser and a generator of LLVM IR, and nothing else.
//
// It is called like clang and does the same, for a C file that is to become bitcode without being optimised. Most of the
// time that the installed clang takes for a small file is for its start: it is linked when it is run, with a library of all
// that LLVM has, and each part of it sets itself up. This one is linked statically, without passes and processors.
//
// Whatever is not that plain case is left to the installed clang, by an exit code other than zero: options of which it is
// not known that they need no pass, what the driver has something to say about, functions that must be inlined, and files
// that do not compile. So nothing here has to be right about errors.
//
// The headers in `include` are part of the executable; the folder they are in exists only here.

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Stack.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Options/Options.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace clang;
using namespace llvm;

/// The exit code that leaves the file to the installed clang.
enum { Decline = 1 };

/// Ends without taking anything apart; all output is written.
[[noreturn]] static void leave(int code) { _exit(code); }

// --- What is accepted -------------------------------------------------------------------------------------------------

/// Whether an option asks for nothing that the part of clang that is here does not do. What is not listed may be all right,
/// too; it is only slower.
static bool accepted(const opt::Arg &argument) {
    namespace o = clang::options;
    static const o::ID harmless[] = {
        // What the front end of Selvedge passes itself.
        o::OPT_INPUT, o::OPT_o, o::OPT_c, o::OPT_emit_llvm, o::OPT_g_Flag, o::OPT_O_Group, o::OPT_gen_reproducer_eq,
        o::OPT_fcolor_diagnostics,
        // What is read, and as which language.
        o::OPT_D, o::OPT_U, o::OPT_I, o::OPT_isystem, o::OPT_iquote, o::OPT_idirafter, o::OPT_include, o::OPT_std_EQ,
        o::OPT_ansi, o::OPT_pthread, o::OPT_fsigned_char, o::OPT_fno_signed_char, o::OPT_funsigned_char,
        o::OPT_fno_unsigned_char, o::OPT_fgnu89_inline, o::OPT_fms_extensions,
        // What is warned about.
        o::OPT_W_Group, o::OPT_w, o::OPT_pedantic_Group,
        // What the generated code is like.
        o::OPT_fcommon, o::OPT_fno_common, o::OPT_fwrapv, o::OPT_fno_strict_aliasing, o::OPT_fno_builtin, o::OPT_m64,
    };
    const opt::Option &option = argument.getOption();
    if (option.matches(o::OPT_Xclang)) {
        StringRef value = argument.getValue();
        return value == "-disable-O0-optnone" || value == "-fsanitize-address-use-after-scope";
    }
    return any_of(harmless, [&](o::ID id) { return option.matches(id); });
}

/// Whether some call has to be inlined: that is a pass.
static bool needs_inlining(const llvm::Module &module) {
    for (const Function &function : module) {
        if (function.hasFnAttribute(Attribute::AlwaysInline))
            return true;
        for (const BasicBlock &block : function)
            for (const Instruction &instruction : block)
                if (auto *call = dyn_cast<CallBase>(&instruction);
                    call && call->getAttributes().hasFnAttr(Attribute::AlwaysInline))
                    return true;
    }
    return false;
}

// --- The headers ------------------------------------------------------------------------------------------------------

static const char selvedge_h[] = {
#embed "../include/selvedge.h" suffix(, 0)
};
static const char selvedge_cleanup_h[] = {
#embed "../include/selvedge_cleanup.h" suffix(, 0)
};
static const char pthread_h[] = {
#embed "../include/pthread.h" suffix(, 0)
};

/// The files of the machine, and the headers in their folder.
static IntrusiveRefCntPtr<vfs::FileSystem> files() {
    auto headers = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
    auto add = [&](StringRef name, const char *text) {
        headers->addFile(HEADER_FOLDER "/" + name, 0, MemoryBuffer::getMemBuffer(text, name));
    };
    add("selvedge.h", selvedge_h);
    add("selvedge_cleanup.h", selvedge_cleanup_h);
    add("pthread.h", pthread_h);
    auto all = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
    all->pushOverlay(headers);
    return all;
}

// --- Compiling --------------------------------------------------------------------------------------------------------

/// The variable that names a file to which it is written what was read, if it is set.
static const char *inputs_variable = "SELVEDGE_CLANG_INPUTS";

/// Writes a hash (FNV-1a, 64 bits) of what was read of a file, and its name.
static void tell_input(const SrcMgr::ContentCache &content, raw_ostream &output) {
    std::optional<StringRef> text = content.getBufferDataIfLoaded();
    if (!content.OrigEntry || !text)
        return;
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned char byte : *text)
        hash = (hash ^ byte) * 0x100000001b3;
    output << format_hex_no_prefix(hash, 16) << ' ' << content.OrigEntry->getName() << '\0';
}

/// Tells which compiler this is, and then all files that were read, with what was in them when they were: the one that is
/// compiled first.
static void tell_inputs(SourceManager &sources, raw_ostream &output) {
    output << getClangFullVersion() << '\0';
    SmallPtrSet<const SrcMgr::ContentCache *, 32> told;
    const SrcMgr::ContentCache &first = sources.getSLocEntry(sources.getMainFileID()).getFile().getContentCache();
    told.insert(&first);
    tell_input(first, output);
    for (unsigned at = 0; at < sources.local_sloc_entry_size(); at++) {
        const SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(at);
        if (entry.isFile() && told.insert(&entry.getFile().getContentCache()).second)
            tell_input(entry.getFile().getContentCache(), output);
    }
}

/// Parses a file, and writes the module that it is as bitcode.
class EmitBitcode : public ASTFrontendAction {
    LLVMContext context;
    CodeGenerator *generator = nullptr;

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
        context.setDiscardValueNames(compiler.getCodeGenOpts().DiscardValueNames);
        std::unique_ptr<CodeGenerator> consumer = CreateLLVMCodeGen(compiler, file, context);
        generator = consumer.get();
        return consumer;
    }

    void EndSourceFileAction() override {
        CompilerInstance &compiler = getCompilerInstance();
        const llvm::Module *module = generator->GetModule();
        if (compiler.getDiagnostics().hasErrorOccurred() || !module || needs_inlining(*module))
            leave(Decline);
        std::unique_ptr<raw_pwrite_stream> output = compiler.createDefaultOutputFile(true, getCurrentFile(), "bc");
        if (!output)
            leave(Decline);
        WriteBitcodeToFile(*module, *output, compiler.getCodeGenOpts().EmitLLVMUseLists);
        if (const char *path = getenv(inputs_variable)) {
            std::error_code error;
            raw_fd_ostream inputs(path, error);
            if (error)
                leave(Decline);
            tell_inputs(compiler.getSourceManager(), inputs);
        }
    }
};

/// What the generator of IR calls to put other objects into a module. No accepted option names any; with clang's own
/// definition, the linker would take all passes of LLVM along.
void clang::EmbedObject(llvm::Module *, const CodeGenOptions &options, vfs::FileSystem &, DiagnosticsEngine &) {
    if (!options.OffloadObjects.empty())
        leave(Decline);
}

/// Makes the C library take its memory from the system in few large pieces, if possible as huge pages: a compilation
/// touches a few megabytes once, and each page of them would be a fault.
static void prepare_heap() {
    const size_t huge_page = 2 << 20;
    mallopt(M_TOP_PAD, 4 * huge_page);
    mallopt(M_MMAP_THRESHOLD, huge_page);
    void *first = malloc(huge_page / 4);
    auto begin = (reinterpret_cast<uintptr_t>(first) + huge_page - 1) / huge_page * huge_page;
    // It is all the same if that fails.
    (void)madvise(reinterpret_cast<void *>(begin), 2 * huge_page, MADV_HUGEPAGE);
    free(first);
}

int main(int count, const char **values) {
    noteBottomOfStack();
    prepare_heap();
    // The installed clang lets this variable change its options.
    if (getenv("CCC_OVERRIDE_OPTIONS"))
        leave(Decline);

    // The driver: from the options of a user to those of the compiler. It has to think that it is the installed one, from
    // whose place it finds clang's headers.
    SmallVector<const char *, 64> arguments(values, values + count);
    arguments[0] = INSTALLED_CLANG;
    std::unique_ptr<DiagnosticOptions> diagnostic_options = CreateAndPopulateDiagOpts(arguments);
    IgnoringDiagConsumer silent;
    DiagnosticsEngine diagnostics(DiagnosticIDs::create(), *diagnostic_options, &silent, false);
    IntrusiveRefCntPtr<vfs::FileSystem> file_system = files();
    clang::driver::Driver driver(INSTALLED_CLANG, sys::getDefaultTargetTriple(), diagnostics, "selvedge-clang", file_system);
    driver.setTargetAndMode(clang::driver::ToolChain::getTargetAndModeFromProgramName("clang-22"));
    std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
    if (!compilation || compilation->containsError() || compilation->getJobs().size() != 1)
        leave(Decline);
    for (const opt::Arg *argument : compilation->getInputArgs())
        if (!accepted(*argument))
            leave(Decline);

    // The compiler.
    const opt::ArgStringList &options = compilation->getJobs().begin()->getArguments();
    auto invocation = std::make_shared<CompilerInvocation>();
    if (options.empty() || options[0] != StringRef("-cc1") ||
        !CompilerInvocation::CreateFromArgs(*invocation, ArrayRef(options).drop_front(), diagnostics, INSTALLED_CLANG) ||
        invocation->getFrontendOpts().ProgramAction != frontend::EmitBC || silent.getNumErrors() || silent.getNumWarnings())
        leave(Decline);
    CompilerInstance compiler(invocation);
    compiler.setVirtualFileSystem(file_system);
    compiler.createDiagnostics();
    EmitBitcode action;
    leave(compiler.ExecuteAction(action) ? 0 : Decline);
}
