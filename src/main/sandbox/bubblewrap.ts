import type { ContainmentPolicy, ProcessStart } from '../ports/containment.ts'
import { beginningWith } from '../process/contained-beginning.ts'
import type { Mount } from './mount-plan.ts'

/*
 * bubblewrap makes a namespace of users, processes, mounts and System V IPC, and starts the program in it. As root it would
 * leave the program its capabilities, with which it takes away what hides: they are dropped by name.
 */

const NAMESPACES = ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try']

/** Whether this bubblewrap can lay a writable layer over a folder: from 0.11 on. `version` as it prints it. */
export function canLayer(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 0 || Number(minor) >= 11
}

/** The command line that runs `start` within `mounts`, by the program `bwrap`. */
export function bubblewrapCommand(
  bwrap: string,
  start: Pick<ProcessStart, 'command' | 'directory'>,
  mounts: readonly Mount[],
  network: ContainmentPolicy['network'],
  hasLayers: boolean,
): readonly string[] {
  const hiding = mounts.filter(({ kind }) => kind === 'empty')
  return [
    bwrap,
    ...NAMESPACES,
    ...(network === 'all' ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // To root, without capabilities too, bubblewrap leaves them writable: by the owner of the files, and with them the machine.
    ...['sys', 'sysrq-trigger'].flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    ...mounts.flatMap((mount) => mountArguments(mount, hasLayers)),
    // Last: what lies in a hidden folder and is shown has its place there by now.
    ...hiding.flatMap(({ path }) => ['--remount-ro', path]),
    ...['--chdir', start.directory, '--'],
    ...beginningWith('/bin/sh'),
    ...start.command,
  ]
}

function mountArguments({ kind, path, source = path }: Mount, hasLayers: boolean): readonly string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path]
    case 'read-only':
      return ['--ro-bind', source, path]
    case 'blank':
      return ['--ro-bind', '/dev/null', path]
    case 'layered':
      return hasLayers ? ['--overlay-src', path, '--tmp-overlay', path] : ['--tmpfs', path]
    case 'empty':
    case 'scratch':
      return ['--tmpfs', path]
  }
}
