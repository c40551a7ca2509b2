import { cut, oneLine } from '../text/quote.ts'
import type { ChangeClaim, ClaimKind } from './types.ts'

const MAX_TEXT = 200

/** Returns a claim that was not measured, unless `more` says otherwise. */
export function claim(
  kind: ClaimKind,
  text: string,
  rest: Partial<Omit<ChangeClaim, 'kind' | 'text'>> = {},
): ChangeClaim {
  return {
    text: cut(oneLine(text), MAX_TEXT),
    kind,
    subject: '',
    claimed: cut(oneLine(text), MAX_TEXT),
    measured: null,
    equal: null,
    ...rest,
  }
}
