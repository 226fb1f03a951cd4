# SPDX-License-Identifier: MIT
#
# Reads the tables in ../spec and answers what the generators ask: which
# constant belongs to which header and family, in which order, and what a
# structure looks like where pointers have four bytes.

import csv
import os
import re

# Written as unsigned hexadecimal literals: their top bit is set.
UNSIGNED_MASKS = {"MQENC_RESERVED_MASK", "MQMF_ACCEPT_UNSUP_MASK",
                  "MQPD_REJECT_UNSUP_MASK", "MQRFH_FLAGS_RESTRICTED_MASK",
                  "MQRO_ACCEPT_UNSUP_MASK"}

# Families of constants-cmqcfc.csv that are not in cmqcfc.h.
BAG_FAMILIES = {"MQHB", "MQBL", "MQIND", "MQCBO", "MQITEM", "MQIT", "MQHA",
                "MQSEL", "MQIASY"}
EXIT_FAMILIES = {"MQIEP", "MQIEPF"}
SERVICE_FAMILIES = {"MQZAET"}

STRINGS = ("char4", "string", "bytes")

NO_DEFAULT = {"MQCBC", "MQPMR"}
XC_STRUCTS = {"MQDXP", "MQCD"}

# Size and alignment on 32-bit processors where a long long in a structure
# is aligned to four bytes.
NARROW = {"MQPTR": 4, "PMQVOID": 4}


class Row:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def is_struct_const(name):
    """Version and length of a structure: counted, never a choice."""
    return re.search(r"_(VERSION|LENGTH)_\d+$|_CURRENT_(VERSION|LENGTH)$"
                     r"|^MQ(CF\w+|RFH|EPH)_STRUC_LENGTH", name) is not None


def is_range(name):
    """Ends of a range of numbers."""
    return re.search(r"^MQ[A-Z]A(CF|CH|MO|SY)?_(FIRST|LAST|LAST_USED)$"
                     r"|_(APPL|IMS|REASON|SYSTEM|USER)_(FIRST|LAST)$",
                     name) is not None


def read(path):
    with open(path, newline="", encoding="ascii") as f:
        return list(csv.DictReader(f))


def text_bytes(text):
    return re.sub(rb"\\x([0-9a-f]{2})",
                  lambda m: bytes([int(m.group(1), 16)]),
                  text.encode("ascii"))


class Tables:
    def __init__(self, spec):
        self.spec = spec
        self.family_rows = {r["family"]: Row(**r)
                            for r in self.rows("families.csv")}
        self.preferred = {r["name"] for r in self.rows("preferred.csv")}
        self.functions = {r["name"]: r["function"]
                          for r in self.rows("functions.csv")}
        self.constants = []
        for name, header in (("constants.csv", "cmqc.h"),
                             ("constants-cmqxc.csv", "cmqxc.h"),
                             ("constants-cmqcfc.csv", "cmqcfc.h"),
                             ("additions-cmqcfc.csv", "cmqcfc.h")):
            for row in self.rows(name):
                self.constants.append(self.constant(row, header))
        self.by_name = {c.name: c for c in self.constants}
        self.types = [self.type(r) for r in self.rows("types.csv")]
        self.types = [t for t in self.types if t]
        self.type_by_name = {t.name: t for t in self.types}
        self.structs = self.read_structs()
        self.struct_by_name = {s.name: s for s in self.structs}
        self.default_macros = {s.name + "_DEFAULT" for s in self.structs}
        self.calls = self.read_calls()
        self.lengths32 = self.narrow_lengths()

    def rows(self, name):
        return read(os.path.join(self.spec, name))

    # -- constants

    def constant(self, row, header):
        kind = row["kind"].split("(")[0]
        value = row["value"]
        if kind == "int":
            value = int(value)
        elif kind == "bytes":
            value = bytes.fromhex(value)
        else:
            value = text_bytes(value)
        const = Row(name=row["name"], kind=kind, value=value, header=header)
        const.family = self.family_of(const.name)
        if header == "cmqcfc.h":
            if const.family in BAG_FAMILIES:
                const.header = "cmqbc.h"
            elif const.family in EXIT_FAMILIES:
                const.header = "cmqec.h"
            elif const.family in SERVICE_FAMILIES:
                const.header = "cmqzc.h"
            elif const.family == "MQPS" and kind == "string":
                const.header = "cmqpsc.h"
        return const

    def family_of(self, name):
        if re.fullmatch(r"MQ_\w+_LEN(GTH)?", name):
            return "MQ"
        parts = name.split("_")
        for n in range(len(parts) - 1, 1, -1):
            prefix = "_".join(parts[:n])
            if prefix in self.family_rows:
                return prefix
        return parts[0]

    def family_info(self, name):
        return self.family_rows.get(name, Row(family=name, style="dec",
                                              title=""))

    @staticmethod
    def order(const):
        """Identifier, versions, lengths, then the values in order."""
        name = const.name
        number = re.search(r"_(\d+)$", name)
        number = int(number.group(1)) if number else 1 << 30
        if const.kind == "char4" and name.endswith("_STRUC_ID"):
            return (0, 0, name)
        if re.search(r"_VERSION_\d+$|_CURRENT_VERSION$", name):
            return (1, number, name)
        if re.search(r"_LENGTH_\d+$|_CURRENT_LENGTH$", name):
            return (2, number, name)
        if const.kind != "int" or const.family == "MQ":
            return (3, 0, "" if const.header == "cmqpsc.h" else name)
        value = const.value
        if name in UNSIGNED_MASKS:
            value &= 0xffffffff
        return (4, value, name)

    def families(self, header):
        found = {}
        for const in self.constants:
            if const.header == header:
                found.setdefault(const.family, []).append(const)
        return [(name, sorted(found[name], key=self.order))
                for name in sorted(found)]

    # -- names of numbers

    def rank(self, name):
        """Of several names for one number the lowest rank is given."""
        if name in self.preferred:
            return 0
        if name.endswith("_NONE"):
            return 1
        if re.search(r"_(FIRST|LAST|LAST_USED|DEFAULT|NATIVE|FACTOR|MASK"
                     r"|SIZE|CURRENT_LEVEL)$", name):
            return 3
        return 2

    def name_families(self):
        """(function, constants), one constant for a number, in order."""
        found = {}
        for const in self.constants:
            if (const.kind != "int" or const.family == "MQ"
                    or is_struct_const(const.name) or is_range(const.name)):
                continue
            function = self.functions.get(const.name, const.family)
            values = found.setdefault(function, {})
            values.setdefault(const.value, []).append(const)
        for function in sorted(found):
            values = found[function]
            yield function, [self.choose(values[v]) for v in sorted(values)]

    def choose(self, consts):
        """Of one value; a family in two headers is named by the first."""
        first = consts[0].header
        return min(consts, key=lambda c: (c.header != first,
                                          self.rank(c.name), c.name))

    # -- types

    @staticmethod
    def type(row):
        name, definition = row["type"], row["definition"]
        if not re.fullmatch(r"MQ[A-Z]+\d*", name) or not row["size"]:
            return None
        match = re.fullmatch(r"(\w+)\[(\d+)\]", definition)
        typ = Row(name=name, definition=definition, size=int(row["size"]),
                  align=int(row["alignment"]), base=name, count=None)
        if match:
            typ.kind = "array"
            typ.base, typ.count = match.group(1), int(match.group(2))
        elif name in ("MQPTR", "MQHCONFIG"):
            typ.kind = "other"
        else:
            typ.kind = "plain"
        return typ

    def shape(self, c_type):
        """(element type, number of elements) or (None, None)."""
        match = re.fullmatch(r"(\w+)\[(\d+)\]", c_type)
        if match:
            return match.group(1), int(match.group(2))
        typ = self.type_by_name.get(c_type)
        if typ is None:
            return None, None
        return typ.base, typ.count

    # -- structures

    def read_structs(self):
        structs = {}
        rows = [(r, None) for r in self.rows("structs.csv")]
        rows += [(r, "cmqcfc.h") for r in self.rows("structs-cmqcfc.csv")]
        for row, header in rows:
            name = row["struct"]
            if name in ("MQPMR",):
                continue
            if header is None and name in XC_STRUCTS:
                header = "cmqxc.h"
            st = structs.setdefault(name, Row(
                name=name, header=header or "cmqc.h", fields=[], lengths=[],
                has_default=name not in NO_DEFAULT))
            if row["field"] == "(length)":
                st.lengths.append(Row(version=int(row["version_introduced"]),
                                      size=int(row["size"]),
                                      name=row["default"]))
            elif not row["field"].startswith("("):
                st.fields.append(Row(name=row["field"],
                                     version=int(row["version_introduced"]),
                                     c_type=row["c_type"],
                                     default=row.get("default", "")))
        for row in self.rows("defaults-cmqcfc.csv"):
            for field in structs[row["struct"]].fields:
                if field.name == row["field"]:
                    field.default = row["default"]
        return list(structs.values())

    def structs_of(self, header):
        return [s for s in self.structs if s.header == header]

    # -- where a pointer has four bytes

    def narrow_type(self, c_type):
        base, count = self.shape(c_type)
        if count is not None:
            size, align = self.narrow_type(base)
            return size * count, align
        if c_type in self.struct_by_name:
            return self.narrow_struct(self.struct_by_name[c_type])
        if c_type.startswith("PMQ") or c_type == "MQPTR":
            return 4, 4
        typ = self.type_by_name[c_type]
        return typ.size, min(typ.align, 4)

    def narrow_struct(self, st, version=None):
        at, most = 0, 1
        for field in st.fields:
            if version is not None and field.version > version:
                break
            size, align = self.narrow_type(field.c_type)
            at = (at + align - 1) // align * align + size
            most = max(most, align)
        if version is None:
            at = (at + most - 1) // most * most
        return at, most

    def narrow_lengths(self):
        """Length constants that differ there; None: layout not known."""
        out = {}
        for st in self.structs:
            for length in st.lengths:
                size, _ = self.narrow_struct(st, length.version)
                if length.name and size != length.size:
                    out[length.name] = size
            if st.lengths and st.name + "_CURRENT_LENGTH" in self.by_name:
                last = st.lengths[-1]
                if last.name in out:
                    out[st.name + "_CURRENT_LENGTH"] = out[last.name]
        known = {s.name for s in self.structs}
        for const in self.constants:
            match = re.fullmatch(r"(\w+?)_(CURRENT_LENGTH|LENGTH_\d+)",
                                 const.name)
            if match and match.group(1) not in known:
                out[const.name] = None
        return out

    # -- calls

    def read_calls(self):
        found = {}
        for row in self.rows("calls.csv"):
            call = found.setdefault(row["call"], Row(name=row["call"],
                                                     params=[]))
            call.params.append(Row(name=row["parameter"],
                                   c_type=row["c_type"],
                                   direction=row["direction"]))
        return list(found.values())
