import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'

/*
 * Runs in a clean room before a check. By content: git is given a last commit in which the paths are as they were before the work; everything else, such as deleted files, stays committed. By mode: the files' executable bits are flipped. If git can't do this, the check runs on the unchanged room, with the same result as in place. In a copy of a linked work tree, and where `.git` or something in it is a
 * link, git's data would be the original's, so nothing is done there.
 *
 * $1 `copy`, or empty if the room shows the tree at its own path  $2 the commit before the work, or empty: it made none
 * $3 `changed` or `staged`  $4 `content` or `mode`  $5 paths, one a line, then the command
 */
const PREPARE = `
room=$1 since=\${2:-HEAD} sees=$3 by=$4 paths=$5
shift 5
run() { git --literal-pathspecs -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.quotePath=false "$@"; }
of_paths() { printf '%s\\n' "$paths" | run "$@" --pathspec-from-file=-; }
without_missing() { run ls-files -dz | run update-index -z --force-remove --stdin; }
by_content() {
  data=$(git rev-parse --absolute-git-dir) || return
  commit=$(
    export GIT_INDEX_FILE="$data/pulseward-index"
    export GIT_AUTHOR_NAME=p GIT_AUTHOR_EMAIL=p@p GIT_COMMITTER_NAME=p GIT_COMMITTER_EMAIL=p@p
    run read-tree HEAD && of_paths reset "$since" >&2
    without_missing
    run commit-tree "$(run write-tree)" -p HEAD -m before
  ) || return
  without_missing
  if [ "$sees" = staged ]; then run reset --soft "$commit" && of_paths add -A
  else run reset -N "$commit" && of_paths add -N
  fi
}
by_mode() {
  printf '%s\\n' "$paths" | while IFS= read -r path; do
    if [ -x "$path" ]; then chmod a-x -- "$path"; else chmod a+x -- "$path"; fi
  done
  if [ "$sees" = staged ]; then of_paths add; fi
}
if [ "$by" = mode ]; then
  at=\${GIT_CONFIG_COUNT:-0}
  export "GIT_CONFIG_KEY_$at=core.fileMode" "GIT_CONFIG_VALUE_$at=true" GIT_CONFIG_COUNT=$((at + 1))
fi
top=$(git rev-parse --show-toplevel 2>/dev/null)
links=$(find "$(git rev-parse --git-common-dir)" -maxdepth 1 -type l 2>/dev/null)
if [ -n "$top" ] && [ ! -L "$top/.git" ] && [ -z "$links" ] && { [ "$room" != copy ] || [ -d "$top/.git" ]; }; then
  ("by_$by") >/dev/null 2>&1 </dev/null
fi
exec "$@"
`

/** Returns the room, changing before each check what git considers uncommitted. */
export function asUncommitted(
  room: CheckRoom,
  { since, sees, paths, by }: NonNullable<EarlierFiles['uncommitted']>,
): CheckRoom {
  const lines = paths.filter((path) => !path.includes('\n')).join('\n')
  const words = [room.copy === null ? '' : 'copy', since ?? '', sees, by, lines]
  return { ...room, prepared: (command) => ['sh', '-c', PREPARE, 'git', ...words, ...command] }
}
