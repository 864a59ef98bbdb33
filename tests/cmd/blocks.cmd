# SPDX-License-Identifier: GPL-3.0-or-later
# Blocks and variables: if, foreach, define, and $name in words.
open @FIXTURES@/valley.json
set $n = 3
set $name = (SELECT name FROM cells ORDER BY actors DESC, name LIMIT 1)
echo $n of $name, ${n}rd and '$n'
| 3 of Valley_MainGrid_4_0_0_0, 3rd and $n
# A backslash and single quotes make a dollar sign ordinary, each its own.
echo \$n $n "\$n $n" n='$n'$n \x24n "${n}\${n}"
| $n 3 $n 3 n=$n3 $n 3${n}
cell $name -c name,actors
| name    Valley_MainGrid_4_0_0_0
| actors  6
cells -n $n -c name
| name
| Valley_MainGrid_-1_-1_0_0
| Valley_MainGrid_-1_0_0_0
| Valley_MainGrid_-1_2_0_0
actors @ $name -n 1 -c label
| label
| Roof
expect error E_USAGE: cell $unknown
expect error E_USAGE: cells -n $name
# The output of a block stands below its `end`.
foreach c in SELECT name, actors FROM cells ORDER BY actors DESC, name LIMIT 3
  echo $c: $c_actors
end
| Valley_MainGrid_4_0_0_0: 6
| Valley_MainGrid_2_1_0_0: 4
| Valley_MainGrid_2_1_0_0_dB2E340D4: 3
foreach g in SELECT name FROM grids ORDER BY name
  if $g = 'Small'
    echo $g is small
  else
    if $g LIKE 'Main%'
      echo $g is main
    else
      echo $g is another
    end
  end
end
| MainGrid is main
| MainGrid:HLOD0 is main
| PersistentLevel is another
| Small is small
if (SELECT count(*) FROM cells) > 1e6
  echo many
end
define look
  # $1 is what stands behind the name
  cell $1 -c name,actors
  echo $argc given
end
look L0:5,1
| name    Valley_MainGrid_5_1_0_0
| actors  2
| 1 given
call look L0:0,0 more
| name    Valley_MainGrid_0_0_0_0
| actors  1
| 2 given
define twice
  look $1
  look $1
end
twice L0:5,1
| name    Valley_MainGrid_5_1_0_0
| actors  2
| 1 given
| name    Valley_MainGrid_5_1_0_0
| actors  2
| 1 given
# Stops may ask, too.
source add Eve actor Rock_1187
break cell.show if level = 0
commands
  if (SELECT actors FROM event) > 1
    echo more than one
  else
    echo one or none
  end
end
step 8 ~ one
| one or none
# What cannot work.
expect error E_USAGE: end
expect error E_USAGE: else
expect error E_USAGE: define step
expect error E_USAGE: foreach x SELECT 1
expect error E_UNKNOWN: call nothing
define again
  again
end
expect error E_DEPTH: again
# What a block defines can be used in it by its name, as outside.
if 1 = 1
define hi
echo hi $1
end
hi you
alias say echo
say again
end
| hi you
| again
hi there
| hi there
# The arguments of a call are its own, and numbers in expressions.
define inner
  echo in $1 of $argc
end
define outer
  inner $2
  if $1 < 0
    echo $1 is less than nothing
  end
end
outer -5 x
| in x of 1
| -5 is less than nothing
expect error E_USAGE: inner
# Neither an alias nor a definition hides a command, but both may take its short name.
expect error E_USAGE: alias cells = step
expect error E_USAGE: alias source = step
expect error E_USAGE: define cells
alias s = echo
s five
| five
alias five = cells -n 5 -c name --csv
five ~ nothing
| name
