# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Find what a proof would take on trust.

Lemmas and contracts that nothing proves, of any engine; axioms; code that is another
one to compilers; and what Frama-C warns of, above all WP's hypotheses about memory,
beside proof/parts/warnings.txt.
"""
import collections
import graphlib
import os
import re
import subprocess
import tempfile

import sources
from sources import functions, rows, settings

# A declaration, and the contract before it.
CONTRACT = re.compile(r"/\*@[\s@]*(?:requires|terminates|exits|assigns|ensures|behavior|"
                      r"decreases)\b(?:(?!\*/).)*?\*/\s*(?=[^;{}()]*?(\w+)\s*\()", re.S)

# Comments, which stand before and between definitions and say nothing of what
# definitions do.
COMMENT = re.compile(r"/\*(?!@).*?\*/|(?<!/)//(?!@)[^\n]*", re.S)

# Headers of C's library that mean the same to Frama-C as to compilers, and the headers
# that these include; linux/ is proof/spec's, or the kernel's own.
PLAIN = {"limits.h", "stdbool.h", "stddef.h", "stdint.h", "stdc-predef.h", "features.h",
         "features-time64.h"}

# The place where a function is defined, up to its body.
HEAD = re.compile(r"^[^\n;{}/()=]*?\b(\w+)\s*\([^;{}]*?\)\s*(?=\{)", re.S | re.M)

# The macros by which code may ask about the compiler. Each is the same where the code
# is proved, or chooses one of the engines, all of which are proved, or decides nothing
# about code that is proved.
ASKED = {"__GNUC__", "__KERNEL__", "__cplusplus", "__BYTE_ORDER__", "__LP64__",
         "__ORDER_LITTLE_ENDIAN__", "__ORDER_BIG_ENDIAN__", "__asm__"}
# Macros such as __OPTIMIZE__: those of gcc, and words of their form.
DECIDES = re.compile(r"\b(?:__[A-Za-z0-9_]+__|__builtin_constant_p|__has_\w+|_Generic)\b")

# The options of Frama-C that a part may have.
OPTION = re.compile(r"-cpp-extra-args=-I\S+|-wp-(?:prop|fct)=\S+|-wp-split|-wp-literals|"
                    r"-wp-no-init-const|-wp-prover|-wp-auto|-wp-auto-(?:width|depth)|"
                    r"-wp-timeout|[A-Z]+|\d+|wp:\w+|[a-z0-9]+(?:,[a-z0-9]+)*")

# In annotations without their comments: a lemma with its statement, or a definition
# with its name and parameters, up to the next statement or the end of the annotation.
REST = r".*?(?=\*/|\b(?:lemma|predicate|logic|inductive)\b)"
SAYS = re.compile(rf"\blemma\s+(\w+){REST}", re.S)
MEANS = re.compile(r"\b(?:predicate|logic|inductive)\s[^={(:;]*?(\w+)\s*(?:\{[^}]*\})?"
                   rf"\s*(\([^)]*\))?\s*[={{:;]{REST}", re.S)


def without_attributes(text):
    """The text without __attribute__((...))."""
    while match := re.search(r"__attribute(?:__)?\s*(?=\()", text):
        text = text[:match.start()] + text[closed(text, match.end(), "()"):]
    return text


def closed(text, at, pair):
    """The place where the bracket that opens at a place is closed."""
    depth = 0
    # a brace in an annotation, or between quotation marks, opens nothing
    for match in re.finditer(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|"
                             rf"[{re.escape(pair)}]", text[at:], re.S):
        depth += {pair[0]: 1, pair[1]: -1}.get(match[0], 0)
        if not depth and match[0] == pair[1]:
            return at + match.end()
    return len(text)


class Text:
    """What a part's source says: its functions' contracts and bodies."""

    def __init__(self, root, source, options):
        text = sources.compiler(root, source, options, "-P", "-C")
        text = re.sub(r"//@([^\n]*)", r"/*@\1 */", text)
        text = without_attributes(COMMENT.sub("", text))
        # comments inside of annotations
        text = re.sub(r"/\*@.*?\*/", lambda note: re.sub(r"//(?:(?!\*/)[^\n])*", "", note[0]),
                      text, flags=re.S)
        self.engine = sources.engine(source)
        if self.engine == "FAST":
            # The one predicate that means something else with this engine.
            text = text.replace("fits(", "fits_fast(")
        notes = " ".join(" ".join(re.findall(r"/\*@.*?\*/", text, re.S)).split())
        self.lemmas = {match[1]: match[0] for match in SAYS.finditer(notes)}
        # One name may have several meanings, told apart by the parameters.
        self.terms = {match[1] + (match[2] or ""): match[0]
                      for match in MEANS.finditer(notes)}
        self.given = set(re.findall(r"\b(?:axiom|admit)\w*", notes))
        self.contracts = {match[1]: match[0] for match in CONTRACT.finditer(text)}
        self.bodies, at = {}, 0
        while match := HEAD.search(text, at):
            # The type that the function returns may stand on the line above.
            before = re.search(r"[^;{}/]*$", text[at:match.start()])[0].lstrip()
            at = closed(text, match.end(), "{}")
            self.bodies[match[1]] = before + text[match.start():at]

    def proof(self, name):
        """What a proof of a function has proved: of which contract, which body,
        from which contracts of those that it calls."""
        code = self.bodies.get(name)
        calls = set(re.findall(r"\w+", code or "")) & set(self.contracts)
        return (self.contracts.get(name), code,
                {each: self.contracts[each] for each in calls - {name}})


def clauses(contract):
    """The clauses that a contract requires, and the other clauses."""
    each = {" ".join(clause.split())
            for clause in contract.strip("/*@ \n").split(";") if clause.strip()}
    required = {clause for clause in each if clause.startswith("requires")}
    return required, each - required


def follows(contract, proved):
    """Does a contract say no more than another one that is proved?"""
    if contract == proved or not proved or \
            re.search(r"\bbehavior\b|\\(?:forall|exists)\b", contract):
        return contract == proved
    (wants, says), (wanted, said) = clauses(contract), clauses(proved)
    return wanted <= wants and says <= said


def unproved_contracts(root):
    """Contracts that hold on trust. A proof is one of a function's body, from contracts
    that are proved of the same engine's bodies; of code that has no engine, from those
    that are proved of any. What proof/parts/models.txt lists, nobody can prove."""
    texts, proofs, bodies = {}, collections.defaultdict(list), {}
    models = {name: questions for name, *questions in rows("parts/models.txt")}
    asked = {row[1] for row in rows("parts/asked.txt")} | {"model", "tested"}
    roots, seen = set(), set()
    found = {f"{name}, of which CBMC is not asked {question}"
             for name, questions in models.items() for question in questions or [name]
             if question not in asked}

    def proof(source, options, name):
        if source not in texts:
            texts[source] = Text(root, source, options)
        text = texts[source]
        if name not in text.bodies:
            found.add(f"{name}, of which {source} has no body")
        proofs[name].append((text.engine, *text.proof(name)))
        if name in text.contracts:
            roots.add((text.engine, name, text.contracts[name]))
    for source, options in settings().values():
        for name in functions(options):
            proof(source, options, name)
    for source, names, *_ in rows("parts/bits.txt"):
        for name in names.split(","):
            proof(source, (), name)
    for each in texts.values():
        bodies.setdefault(each.engine, {}).update(each.bodies)
        for name, code in each.bodies.items():
            if not code.startswith("static") and models.get(name) != ["tested"]:
                roots.add((each.engine, name, each.contracts.get(name, "none")))

    def good(engine, name, contract):
        model = not engine and models.get(name, ["tested"]) != ["tested"]
        if (engine, name, contract) in seen or model or \
                re.search(r"requires \\false;", contract) and "behavior" not in contract:
            return		# of the last no proof of a caller calls it
        seen.add((engine, name, contract))
        code = bodies[engine].get(name)
        for where, known, proved, calls in proofs[name]:
            elsewhere = not engine and not code and proved and \
                not proved.startswith("static") and follows(contract, known)
            if code and (known, proved) == (contract, code) or elsewhere:
                for call in calls.items():
                    good(engine or where, *call)
                return
        found.add(f"contract of {name}, {engine.lower() if engine else 'no'} engine")
    for each in sorted(roots, key=str):
        good(*each)
    return found


def unproved_lemmas(root):
    """Axioms, lemmas that some source states otherwise than the one that proves them,
    be it because it means something else by a word, and those that are proved from
    each other: from a lemma before it, a lemma is proved."""
    texts = {part: Text(root, source, options)
             for part, (source, options) in settings().items()}
    proved, before, means = {}, collections.defaultdict(set), {}
    for part, name in map(str.split, sources.counts(0)):
        lemma = name.removeprefix("lemma_")
        if name != lemma and part in texts and lemma in texts[part].lemmas:
            names = list(texts[part].lemmas)
            proved[lemma] = texts[part].lemmas[lemma]
            before[lemma].update(names[:names.index(lemma)])
    found = set()
    for part, text in texts.items():
        found.update(f"lemma {name}, as some part states it"
                     for name, says in text.lemmas.items() if proved.get(name) != says)
        found.update(f"{name}, which parts define differently"
                     for name, says in text.terms.items()
                     if means.setdefault(name, says) != says)
        found.update(f"{word} in part {part}" for word in text.given)
    try:
        graphlib.TopologicalSorter(before).prepare()
    except graphlib.CycleError as error:
        found.add("lemmas that prove each other: " + ", ".join(error.args[1]))
    return found


def predefined():
    """The names that gcc defines by itself when it optimises, but for ASKED."""
    said = subprocess.run(["gcc", "-std=gnu11", "-O2", "-dM", "-E", "-x", "c",
                           "/dev/null"], check=True, text=True, capture_output=True)
    return set(re.findall(r"^#define (\w+)", said.stdout, re.M))


def decides(text, names):
    """Words of a file, beside its annotations, that may mean something else to the
    compiler that ships it than to who proves it."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|#include[^\n]*", "", text,
                  flags=re.S)
    code = without_attributes(code)
    return (set(re.findall(r"\b\w+\b", code)) & names | set(DECIDES.findall(code))) - \
        ASKED


def for_frama_c_alone(root):
    """Files that may say one thing to Frama-C or CBMC and another to compilers: Frama-C
    defines __FRAMAC__, and its headers of C's library have contracts; and neither of
    them optimises."""
    files, found, names = set(), set(), predefined()
    for part, (source, options) in settings().items():
        files |= sources.files(root, source, options)
        found |= {f"option {option} of part {part}" for option in options
                  if not OPTION.fullmatch(option)}
    files |= {(root / name).resolve() for name in ("bpf/kernel/name.h", "kernel/core.c")}
    for path in files:
        if path.is_relative_to(root.resolve()):
            text, name = path.read_text(), path.relative_to(root.resolve())
            if re.search(r"\b__FRAMAC__\b|\b__FC_", text):
                found.add(f"what {name} tells Frama-C alone")
            if not path.is_relative_to(root.resolve() / "proof"):
                if re.search(r"/[*/]@(?:(?!\*/).)*?\b(?:logic|predicate|inductive|lemma)\b",
                             text, re.S):
                    found.add(f"what {name} defines for provers")
                found |= {f"{word} in {name}, which decides what is compiled"
                          for word in decides(text, names)}
        elif str(path.parent) == "/usr/include" and path.name not in PLAIN:
            found.add(f"what <{path.name}> tells Frama-C")
    return found


def on_trust(root):
    """Lemmas and contracts that nothing proves, axioms: they'd pass for true. And
    parts that have goals, or should, and are none."""
    counted = {row[0] for row in rows("parts/goals.txt")}
    return sorted(unproved_contracts(root) | unproved_lemmas(root) |
                  for_frama_c_alone(root) |
                  {f"part {part}, of parts.txt or goals.txt alone"
                   for part in counted ^ settings().keys()})


def told(root, output):
    """What Frama-C warned of, one line each: its channel, the file, the message; of
    a hypothesis about memory, whose it is and what it says."""
    found = set()
    for channel, path, text in re.findall(
            r"^\[([\w:-]+)\] (?:(\S+?):\d+: )?Warning:((?: .*)?(?:\n  .*)*)",
            output, re.M):
        path = os.path.normpath(root / "proof" / path) if path else "-"
        for folder in (f"{root}/", f"{tempfile.gettempdir()}/"):
            path = path.removeprefix(folder)
        whole = " ".join(text.split())
        if whole == "Failed smoke-test":
            continue		# which prove.py counts
        if match := re.match(r"Memory model hypotheses for function '(\w+)'", whole):
            said = re.findall(r"(?:requires|ensures) (.*?);", whole)
            whole = f"{match[1]}: {'; '.join(said)}"
        elif not whole.startswith("Cast with incompatible"):
            # For a cast both types matter; for other messages the first line is enough.
            whole = " ".join(text.strip().split("\n")[0].split())
        found.add(f"{channel} {path} {whole}")
    return found


def known():
    """The warnings of proof/parts/warnings.txt, where a hypothesis may name several
    functions of a file."""
    for line in sources.lines("parts/warnings.txt"):
        match = re.match(r"(\S+ \S+ )([\w,]+)(: .*)", line)
        yield from (f"{match[1]}{name}{match[3]}" for name in match[2].split(",")) \
            if match else [line]


def unexpected(root, output):
    """The warnings that are not in proof/parts/warnings.txt."""
    return sorted(told(root, output) - set(known()))
