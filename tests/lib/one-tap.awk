# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Join the TAP of several programs to that of one.
/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++count) }
/^not ok / || /^Bail/ { failed = 1 }
!/^1\.\./ { print }
END { print "1.." count + 0; exit failed }
