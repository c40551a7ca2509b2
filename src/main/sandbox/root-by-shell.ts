import { quote } from '../process/quote.ts'
import type { RootStep } from './root-steps.ts'

/** Returns shell lines (for `set -e`) that do the step: nearly each runs a program, which takes a millisecond. */
export function linesOf(step: RootStep): readonly string[] {
  switch (step.kind) {
    case 'folders':
      return [`mkdir -p ${step.at.map(quote).join(' ')}`]
    case 'file':
      return [`: > ${quote(step.at)}`]
    case 'link':
      return [`ln -s ${quote(step.to)} ${quote(step.at)}`]
    case 'place': {
      const at = quote(step.at)
      return [
        `[ -e ${at} ] || { [ -d ${quote(step.like)} ] && mkdir -p ${at}; } || { mkdir -p "$(dirname ${at})" && : > ${at}; }`,
      ]
    }
    case 'bind':
      return [`mount --${step.isDeep ? 'rbind' : 'bind'} ${quote(step.from)} ${quote(step.at)}`]
    case 'restrict': {
      const line = `mount -o ${['remount', 'bind', 'ro', ...step.flags].join(',')} ${quote(step.at)}`
      return [step.isLoose ? `${line} 2>/dev/null || :` : line]
    }
    case 'restrict-all':
      return step.oneByOne.flatMap(linesOf)
    case 'memory':
      return [
        `mount -t tmpfs -o mode=${step.mode}${step.isReadOnly ? ',ro' : ''} pulseward ${quote(step.at)}`,
      ]
    case 'processes':
      return [`mount -t proc -o nosuid,nodev,noexec proc ${quote(step.at)}`]
    case 'shield': {
      const at = quote(step.at)
      return [`if [ -e ${at} ]; then mount -o bind,ro,nosuid,nodev,noexec ${at} ${at}; fi`]
    }
    case 'layer': {
      const options = `userxattr,lowerdir=${step.lower},upperdir=${step.upper},workdir=${step.work}`
      return [`mount -t overlay -o ${quote(options)} layer ${quote(step.at)}`]
    }
  }
}
