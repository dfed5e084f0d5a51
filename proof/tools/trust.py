# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Find what a proof would take on trust.

Lemmas and contracts that nothing proves, of any engine; axioms; and what Frama-C
warns of, above all WP's hypotheses about memory, beside proof/parts/warnings.txt.
"""
import collections
import graphlib
import os
import re
import tempfile

import sources
from sources import functions, preprocessed, rows, settings

# a declaration and the contract before it
CONTRACT = re.compile(r"/\*@(?:(?!\*/).)*?\*/\n(?=[^;/]*?\b(\w+)\([^;]*;)", re.S)

# a function as it is defined, from the line with its name on
BODY = re.compile(r"^[^\n;{}/*]*?\b(\w+)\([^;{}]*?\)\s*\{.*?^\}", re.S | re.M)

# of annotations without their comments: a lemma with what it says, and a definition
# with its name and parameters, up to the next statement or the annotation's end
REST = r".*?(?=\*/|\b(?:lemma|predicate|logic|inductive)\b)"
SAYS = re.compile(rf"\blemma\s+(\w+){REST}", re.S)
MEANS = re.compile(r"\b(?:predicate|logic|inductive)\s[^={(:;]*?(\w+)\s*(?:\{[^}]*\})?"
                   rf"\s*(\([^)]*\))?\s*[={{:;]{REST}", re.S)


def annotations(text):
    """The annotations alone, a space between words."""
    text = re.sub(r"//@([^\n]*)", r"/*@\1 */", text)
    notes = re.findall(r"/\*@.*?\*/", re.sub(r"//(?:(?!\*/)[^\n])*", "", text), re.S)
    return " ".join(" ".join(notes).split())


class Text:
    """What a part's source says: its functions' contracts and bodies."""

    def __init__(self, root, source, options):
        text = preprocessed(root, source, options)
        self.engine = sources.engine(source)
        if self.engine == "FAST":
            # the one predicate that is another one with this engine
            text = text.replace("fits(", "fits_fast(")
        notes = annotations(text)
        self.lemmas = {match[1]: match[0] for match in SAYS.finditer(notes)}
        # one name may have several meanings, by the parameters
        self.terms = {match[1] + (match[2] or ""): match[0]
                      for match in MEANS.finditer(notes)}
        self.given = set(re.findall(r"\b(?:axiom|admit)\w*", notes))
        self.contracts = {match[1]: match[0] for match in CONTRACT.finditer(text)}
        self.bodies = dict.fromkeys(self.contracts)
        self.bodies.update({match[1]: match[0] for match in BODY.finditer(text)})

    def proof(self, name):
        """What a proof of a function has proved: of which contract, which body,
        from which contracts of those that it calls."""
        code = self.bodies.get(name)
        calls = set(re.findall(r"\b(\w+)\(", code or "")) & set(self.contracts)
        return (self.contracts.get(name), code,
                {each: self.contracts[each] for each in calls - {name}})


def unproved_contracts(root):
    """Contracts that hold of an engine on trust: a proof is one of the same body,
    from contracts that are proved of the same engine's bodies."""
    texts, proofs, bodies = {}, collections.defaultdict(list), {}

    def text(source, options=()):
        if source not in texts:
            texts[source] = Text(root, source, options)
        return texts[source]
    for source, options in settings().values():
        for name in functions(options):
            proofs[name].append(text(source, options).proof(name))
    for source, name, *_ in rows("parts/bits.txt"):
        proofs[name].append(text(source).proof(name))
    for each in texts.values():
        bodies.setdefault(each.engine, {}).update(
            {name: code for name, code in each.bodies.items() if code})

    def good(engine, name, contract, lost):
        if re.search(r"requires \\false;", contract):
            return True		# it says nothing: no proof of a caller calls it
        code = bodies[engine].get(name)
        for known, proved, calls in proofs[name]:
            if (known, proved) == (contract, code):
                return all([good(engine, *call, lost) for call in calls.items()])
        lost.add(f"contract of {name}, {engine.lower()} engine")
        return False
    found = set()
    for each in texts.values():
        for name, contract in each.contracts.items():
            if each.engine and each.bodies[name] and name.startswith("utf8val_") \
                    and not each.bodies[name].startswith("static"):
                good(each.engine, name, contract, found)
    return found


def unproved_lemmas(root):
    """Axioms, lemmas that some source states otherwise than the one that proves them,
    be it because it means something else by a word, and those that are proved from
    each other: from a lemma before it, a lemma is proved."""
    texts = {part: Text(root, source, options)
             for part, (source, options) in settings().items()}
    proved, before, means = {}, collections.defaultdict(set), {}
    for part, name, _ in rows("parts/goals.txt"):
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


def on_trust(root):
    """Lemmas and contracts that nothing proves, axioms: they'd pass for true. And
    parts that have goals, or should, and are none."""
    counted = {row[0] for row in rows("parts/goals.txt")}
    return sorted(unproved_contracts(root) | unproved_lemmas(root) |
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
        if match := re.match(r"Memory model hypotheses for function '(\w+)'", whole):
            said = re.findall(r"(?:requires|ensures) (.*?);", whole)
            whole = f"{match[1]}: {'; '.join(said)}"
        else:
            whole = " ".join(text.strip().split("\n")[0].split())
        found.add(f"{channel} {path} {whole}")
    return found


def unexpected(root, output):
    """What of it the list does not know."""
    return sorted(told(root, output) - set(sources.lines("parts/warnings.txt")))
