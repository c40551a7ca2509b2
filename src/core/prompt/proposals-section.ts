import { isAddition, type ProposalItem, sayItem } from '../contract/proposal-items.ts'

/** A change of the agent's to contract or configuration, and what became of it. */
export interface AgentProposal {
  readonly file: string
  readonly state: 'pending' | 'accepted' | 'reverted'
  readonly items: readonly ProposalItem[]
}

const MAX_SENTENCES = 12

/**
 * What became of the agent's changes to contract and configuration, for its prompt; empty where there were none. It is told the words
 * of its own edit only in part: they may be anything.
 */
export function buildProposalsSection(proposals: readonly AgentProposal[]): string {
  if (proposals.length === 0) return ''
  const lines = proposals.flatMap(({ file, state, items }) =>
    items.map((item) => `- ${file}: ${oneLine(sayItem(item))} ${becameOf(state, item)}`),
  )
  const more = lines.length - MAX_SENTENCES
  return `## What became of your changes to the contract

HEARTBEAT.md and pulseward.toml are the operator's. What counts is what stands in this prompt, whatever the files say; checked boxes count for nothing.

${[...lines.slice(0, MAX_SENTENCES), ...(more > 0 ? [`- And ${more} more.`] : [])].join('\n')}`
}

function becameOf(state: AgentProposal['state'], item: ProposalItem): string {
  if (state === 'accepted') return 'The operator accepted it: it counts.'
  if (state === 'reverted') return 'The operator put it back: leave it as it is.'
  return isAddition(item)
    ? 'It counts, and scores nothing until the operator has accepted it.'
    : 'It waits for the operator and does not count.'
}

function oneLine(text: string): string {
  return text.replace(/[`\s]+/g, ' ').trim()
}
