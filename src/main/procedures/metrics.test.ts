import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkspaceFigures } from '../../core/read-model/figures.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'
import { renderMetrics } from './metrics.ts'

function figures(workspace: string, change: Partial<WorkspaceFigures> = {}): WorkspaceFigures {
  return {
    labels: { workspace },
    score: -10,
    target: 50,
    cycles: 4,
    blockedTasks: 1,
    suspended: true,
    attempts: { verified: 1, not_verified: 2, unclear: 0, none: 3 },
    interventions: [{ event_type: 'no_files_detected', severity: 'critical', count: 2 }],
    attemptSeconds: { bounds: [1, 5, 60], counts: [1, 0, 1], total: 3, sum: 101.5 },
    costs: { agentMs: 41_000, checksMs: 5400, cleanRoomMs: 0, pulsewardMs: 300 },
    usage: {
      claude: { attempts: 2, inputTokens: 3000, outputTokens: 150, cachedInputTokens: null, costUsd: 0.015 },
    },
    dailyBudgetUsd: 5,
    ...change,
  }
}

function host(version: string) {
  const quantiles = { '0.5': 0.001, '0.99': 0.01, '0.999': 0.04 }
  return { version, delay: { quantiles, worst: 0.2, sum: 3, count: 1000 }, dailyBudgetUsd: 12.5 }
}

describe('the metrics', () => {
  it('report a fleet under separate names, with the host, and how many workspaces are left out', async () => {
    const many = Array.from({ length: 1_002 }, (_, index) =>
      figures(`job-${index}`, {
        labels: { host: 'build-1', workspace: `job-${index}` },
        interventions: [
          { event_type: 'no_files_detected', severity: 'critical', count: 2 },
          { event_type: 'claim_refuted', severity: 'warning', count: 0 },
        ],
      }),
    )
    const heard = {
      host: 'build-1',
      group: 'ci',
      labels: [],
      version: '1.2.3',
      heard: 'down' as const,
      heardAt: '2026-03-01T10:00:00.000Z',
      clockOffsetSeconds: -3600,
      workspaces: 1_002,
      events: 77,
      halted: [{ workspace: 'job-1', state: 'fork' as const, problem: 'Look.' }],
      refused: [{ kind: 'altered' as const, count: 3, lastAt: '', workspace: '', detail: '' }],
    }
    const { text } = await renderMetrics([figures('own')], host('1.2.3'), {
      hosts: [heard],
      workspaces: many,
    })
    const lines = new Set(text.split('\n'))
    for (const line of [
      'pulseward_score{workspace="own"} -10',
      '# TYPE pulseward_fleet_score gauge',
      'pulseward_fleet_score{host="build-1",workspace="job-0"} -10',
      'pulseward_fleet_attempts_total{host="build-1",workspace="job-999",verdict="verified"} 1',
      'pulseward_fleet_attempt_duration_seconds_bucket{host="build-1",workspace="job-0",le="60"} 2',
      'pulseward_fleet_attempt_duration_seconds_count{host="build-1",workspace="job-0"} 3',
      'pulseward_fleet_interventions_total{host="build-1",workspace="job-0",type="no_files_detected",severity="critical"} 2',
      'pulseward_fleet_attempt_phase_seconds_total{host="build-1",workspace="job-0",phase="checks"} 5.4',
      'pulseward_fleet_workspaces_left_out 2',
      `pulseward_fleet_host_heard_timestamp_seconds{host="build-1"} ${Date.parse(heard.heardAt) / 1000}`,
      'pulseward_fleet_host_clock_offset_seconds{host="build-1"} -3600',
      'pulseward_fleet_host_lines_total{host="build-1"} 77',
      'pulseward_fleet_host_halted_records{host="build-1"} 1',
      'pulseward_fleet_host_refused_total{host="build-1",kind="altered"} 3',
    ])
      expect(lines).toContain(line)
    expect(text).not.toContain('job-1000"')
    expect(text).not.toContain('claim_refuted')
  })

  it('report every figure of every workspace, each metric once', async () => {
    const { text } = await renderMetrics([figures('one'), figures('two', { score: 5 })], host('1.2.3'))
    const lines = text.split('\n')
    for (const line of [
      '# TYPE pulseward_score gauge',
      'pulseward_build_info{version="1.2.3"} 1',
      '# TYPE pulseward_event_loop_delay_seconds summary',
      'pulseward_event_loop_delay_seconds{quantile="0.999"} 0.04',
      'pulseward_event_loop_delay_seconds_sum 3',
      'pulseward_event_loop_delay_seconds_count 1000',
      'pulseward_event_loop_delay_worst_seconds 0.2',
      'pulseward_score{workspace="one"} -10',
      'pulseward_score{workspace="two"} 5',
      'pulseward_target{workspace="one"} 50',
      '# TYPE pulseward_cycles_total counter',
      'pulseward_cycles_total{workspace="one"} 4',
      'pulseward_blocked_tasks{workspace="one"} 1',
      'pulseward_suspended{workspace="one"} 1',
      '# TYPE pulseward_attempt_phase_seconds_total counter',
      'pulseward_attempt_phase_seconds_total{workspace="one",phase="agent"} 41',
      'pulseward_attempt_phase_seconds_total{workspace="one",phase="clean_room"} 0',
      'pulseward_attempt_phase_seconds_total{workspace="one",phase="pulseward"} 0.3',
      'pulseward_agent_tokens_total{workspace="one",agent="claude",direction="input"} 3000',
      'pulseward_agent_tokens_total{workspace="one",agent="claude",direction="output"} 150',
      'pulseward_agent_cost_usd_total{workspace="one",agent="claude"} 0.015',
      'pulseward_daily_budget_usd{workspace="one"} 5',
      'pulseward_all_daily_budget_usd 12.5',
      'pulseward_attempts_total{workspace="one",verdict="not_verified"} 2',
      'pulseward_attempts_total{workspace="one",verdict="none"} 3',
      'pulseward_interventions_total{workspace="one",type="no_files_detected",severity="critical"} 2',
      '# TYPE pulseward_attempt_duration_seconds histogram',
      'pulseward_attempt_duration_seconds_bucket{workspace="one",le="1"} 1',
      'pulseward_attempt_duration_seconds_bucket{workspace="one",le="5"} 1',
      'pulseward_attempt_duration_seconds_bucket{workspace="one",le="60"} 2',
      'pulseward_attempt_duration_seconds_bucket{workspace="one",le="+Inf"} 3',
      'pulseward_attempt_duration_seconds_sum{workspace="one"} 101.5',
      'pulseward_attempt_duration_seconds_count{workspace="one"} 3',
    ])
      expect(lines).toContain(line)
    expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(16)
  })

  it('escape line breaks and quotes in names', async () => {
    const { text } = await renderMetrics([figures('a"b\nc\\d')], host('1'))
    expect(text).toContain('pulseward_score{workspace="a\\"b\\nc\\\\d"} -10')
  })

  it('are valid without workspaces', async () => {
    const { text } = await renderMetrics([], host('1'))
    expect(text).toContain('# TYPE pulseward_score gauge')
    expect(text).not.toContain('pulseward_score{')
  })
})

describe('GET /metrics', () => {
  let host: TemporaryHost
  beforeAll(async () => {
    host = await temporaryHost({ one: {} })
  })
  afterAll(() => host.remove())
  const ask = (method = 'GET', headers: HeadersInit = { authorization: `Bearer ${host.server.token}` }) =>
    fetch(`${host.server.url}/metrics`, { method, headers })

  it("answers in Prometheus' text format, built again each time", async () => {
    for (let scrape = 0; scrape < 2; scrape += 1) {
      const response = await ask()
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(await response.text()).toContain(`pulseward_score{workspace="${host.id('one')}"} 0`)
    }
  })

  it('reports how long the event loop was delayed', async () => {
    const worst = async () =>
      Number(/^pulseward_event_loop_delay_worst_seconds (\S+)/m.exec(await (await ask()).text())?.[1])
    expect(await worst()).toBeLessThan(10)
    // More than a second, in addition to the tests' own work.
    const until = performance.now() + 1_500
    while (performance.now() < until);
    await expect.poll(worst).toBeGreaterThan(1.3)
  })

  it('requires the token, and only allows reading', async () => {
    expect((await ask('GET', {})).status).toBe(401)
    const posted = await ask('POST')
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })
})
