/**
 * Creates a workspace with an agent that writes to `log` when it begins and ends, in the name of `host`. `heartbeat`: more lines for that
 * section.
 */
export function loggingWorkspace(
  {
    log,
    host,
    intervalMinutes,
  }: { readonly log: string; readonly host: string; readonly intervalMinutes: number },
  heartbeat: readonly string[] = [],
): { readonly contract: string; readonly configuration: string } {
  const agent = [
    `const { appendFileSync, writeFileSync } = require('node:fs')`,
    `const say = (what) => appendFileSync(${JSON.stringify(log)}, what + ' ${host} ' + process.pid + '\\n')`,
    `say('begin')`,
    `writeFileSync('done.txt', String(Math.random()))`,
    `const fence = String.fromCharCode(96).repeat(3)`,
    `const report = { task_id: 'work', status: 'done', files: ['done.txt'], evidence: ['done.txt'] }`,
    `console.log(fence + 'heartbeat-report\\n' + JSON.stringify(report) + '\\n' + fence)`,
    `setTimeout(() => say('end'), 100)`,
  ].join(';')
  return {
    contract: '## Tasks\n- [ ] work | Work | required | verify: changed("done.txt")\n',
    configuration: [
      '[agent]',
      `command = ${JSON.stringify([process.execPath, '-e', agent])}`,
      'sandbox = "off"',
      '[heartbeat]',
      `interval_minutes = ${intervalMinutes}`,
      ...heartbeat,
      // Even with a good score, the next heartbeat comes just as soon.
      '[scoring]',
      `good_minutes = ${intervalMinutes}`,
      `excellent_minutes = ${intervalMinutes}`,
    ].join('\n'),
  }
}

/** Returns the starts of an agent before another host's agent had ended. An agent that was killed with its host never logs its end. */
export function overlaps(lines: readonly string[]): readonly string[] {
  const found: string[] = []
  let open: { readonly host: string; readonly pid: string } | null = null
  for (const [index, line] of lines.entries()) {
    const [what, host = '', pid = ''] = line.split(' ')
    if (what === 'begin') {
      const endsLater =
        open !== null && lines.slice(index).includes(`end ${open.host} ${open.pid}`) && open.host !== host
      if (endsLater) found.push(`${line} while ${open?.host}`)
      open = { host, pid }
    } else if (open?.pid === pid) open = null
  }
  return found
}
