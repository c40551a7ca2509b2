import { expect, test } from 'vitest'
import { failureStatus } from './failure.ts'

// How the programs were observed to report their service's answers.
test.each([
  ['[API Error: {"error":{"code":401,"message":"No.","status":"UNAUTHENTICATED"}}]', 'unauthenticated'],
  [
    '[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]',
    'unauthenticated',
  ],
  ['{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}', 'unauthenticated'],
  ['{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 'rate-limited'],
  ['unexpected status 401 Unauthorized', 'unauthenticated'],
  ['unexpected status 503 Service Unavailable', 'service-error'],
  ['API Error: 500 {"type":"error"}', 'service-error'],
  ['the patch could not be applied', 'error'],
  ['expected 401 lines, found 12', 'error'],
])('%s', (message, status) => {
  expect(failureStatus(message, null)).toBe(status)
})
