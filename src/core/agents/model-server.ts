/*
 * A model that runs on this machine (Ollama, LM Studio, llama.cpp …) is a service of the agent like any other. But servers that the agent
 * works on run here too, and their failures are part of its work. So the model's server must be recognized by its port, by the requested
 * path, or by its name.
 */

const HERE = String.raw`(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|0\.0\.0\.0|host\.docker\.internal|\[?::1\]?)`

/**
 * Ports that are hardly used for anything else: Ollama, LM Studio, Jan, GPT4All, Docker Model Runner, exo. 8080 and 8000 are
 * too common.
 */
const PORTS = '(?:11434|1234|1337|4891|12434|52415)'

const PATHS = String.raw`\/(?:v1\/(?:chat\/completions|completions|responses|messages|models|embeddings)|api\/(?:chat|generate|tags|show))\b`

const NAMES = String.raw`(?:ollama|lm ?studio|llama\.?cpp|llama[- ]server|llamafile|vllm|docker model runner)`

const IS_MODELS = new RegExp(
  String.raw`${HERE}['"]?(?:,? port[= ]|:)${PORTS}\b|${HERE}(?::\d{1,5})?${PATHS}|\b${NAMES}(?: (?:server|app|instance|service|daemon|api))?\b`,
  'i',
)

const DOWN =
  /\bECONN(?:REFUSED|RESET)\b|\bconnection ?(?:was )?(?:refused|reset|error)\b|\b(?:failed|unable) to connect\b|\b(?:could|can)(?: ?not|n['’]t) (?:connect|reach)\b|\berror sending request\b|\bmax retries exceeded\b|\bis it running\b|\bis (?:not|n['’]t) running\b|\bfetch failed\b|\bEOF$/i

/** Messages that only a model server gives when it is there but can't serve, whatever runs it. */
const CANNOT_SERVE =
  /\bmodel requires more system memory\b|\bllama runner process (?:has terminated|no longer running)\b|\bno models? (?:is |are )?loaded\b|\berror loading model\b|\bfailed to load (?:the )?model\b/i

/** What may precede a report of the failure, as opposed to a sentence about it. */
const BEGINS =
  /^\W*(?:(?:[\w.]+(?:error|exception)|error|fatal|warning|failed|api error|stream error|request (?:failed|error)|caused by|typeerror|post|get|curl)\b\W*|[\w.-]{1,60}: )*(?:["']?https?:|connect\b|connection\b|dial\b|fetch failed|curl|unable\b|failed\b|could(?: not|n['’]t)\b|can(?:not|['’]t)\b|error\b|max retries|\(?\d|httpconnectionpool|ollama|lm ?studio|llama|vllm|no models?\b|model\b|econnre)/i

/** Returns whether a line reports that the model's own server on this machine is down or can't serve. Pure. */
export function isModelServerDown(line: string): boolean {
  if (!BEGINS.test(line)) return false
  return CANNOT_SERVE.test(line) || (DOWN.test(line) && IS_MODELS.test(line))
}
