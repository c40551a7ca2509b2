import type { OpenAPI } from '@orpc/contract'

/*
 * Describes in the OpenAPI document how a page gets its cookie and a script its read-only token: the server answers these itself, before
 * any procedure can be called.
 */

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** Returns the schema of an object with one text, which these requests and answers are. */
function oneText(name: string) {
  const properties = { [name]: { type: 'string' as const } }
  return { 'application/json': { schema: { type: 'object' as const, properties, required: [name] } } }
}

const refusals = {
  401: { description: 'No token, or a wrong one', content: errorContent },
  403: { description: 'Foreign Host or Origin, or no token that may ask for it', content: errorContent },
}

/** The paths under `/api/session`. */
export const SESSION_OPERATIONS: OpenAPI.PathsObject = {
  '/api/session': {
    post: {
      operationId: 'session.open',
      summary: "The page's cookie for a code; needs no token",
      security: [],
      requestBody: { required: true, content: oneText('code') },
      responses: {
        200: {
          description: 'The cookie, in `Set-Cookie`',
          headers: { 'Set-Cookie': { schema: { type: 'string' } } },
          content: {
            'application/json': {
              schema: { type: 'object', properties: { session: { const: 'open' } }, required: ['session'] },
            },
          },
        },
        ...refusals,
        401: { description: 'No such code: it is good once, for 60 s', content: errorContent },
      },
    },
  },
  '/api/session/code': {
    post: {
      operationId: 'session.code',
      summary: 'A code for another page',
      responses: { 200: { description: 'Good once, for 60 s', content: oneText('code') }, ...refusals },
    },
  },
  '/api/session/reading-token': {
    get: {
      operationId: 'session.readingToken',
      summary: 'A token that is good for reading only',
      responses: { 200: { description: 'Good over restarts', content: oneText('token') }, ...refusals },
    },
  },
}
