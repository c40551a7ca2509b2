import { describe, expect, it } from 'vitest'
import { estimateUsd, LIST_PRICES, priceOf, withEstimate } from './prices.ts'

const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 600_000, costUsd: null }

describe('the price of a model', () => {
  it.each([
    ['gpt-5-codex', 'codex', 'gpt-5'],
    ['gpt-5-mini-2025-08-07', 'codex', 'gpt-5-mini'],
    ['openai/gpt-5', 'opencode', 'gpt-5'],
    ['claude-sonnet-4-5-20250929', 'claude', 'claude-sonnet'],
    ['claude-opus-4-5-20251101', 'claude', 'claude-opus'],
    ['claude-opus-4-20250514', 'claude', 'claude-opus-4-20'],
    ['gpt-5.3-codex', 'codex', 'gpt-5.3'],
    [null, 'gemini', 'gemini'],
    ['a-model-of-tomorrow', 'claude', 'claude'],
  ])('of %s in %s is that of %s', (model, preset, key) => {
    expect(priceOf(model, preset, {})).toBe(LIST_PRICES[key])
  })

  it('prefers the operator’s own price', () => {
    const own = { 'gpt-5': { input: 9, output: 9 } }
    expect(priceOf('gpt-5-mini', 'codex', own)).toBe(own['gpt-5'])
  })

  it('is unknown for an unknown program', () => {
    expect(priceOf('mine', null, {})).toBeNull()
    expect(priceOf('constructor', 'constructor', {})).toBeNull()
  })
})

describe('an estimate', () => {
  it('prices cached input separately', () => {
    expect(estimateUsd(tokens, { input: 1, output: 10, cachedInput: 0.1 })).toBeCloseTo(0.4 + 0.06 + 1)
    expect(estimateUsd(tokens, { input: 1, output: 10 })).toBeCloseTo(2)
  })

  it('is added to reported figures and never replaces them', () => {
    const price = { input: 1, output: 10 }
    expect(withEstimate(tokens, price)).toMatchObject({ costUsd: null, estimatedUsd: 2 })
    expect(withEstimate({ ...tokens, costUsd: 3, estimatedUsd: 2 }, price)).toEqual({ ...tokens, costUsd: 3 })
    expect(withEstimate({ ...tokens, inputTokens: null, outputTokens: null }, price)).not.toHaveProperty(
      'estimatedUsd',
    )
  })
})
