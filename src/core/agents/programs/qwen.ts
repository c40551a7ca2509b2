import type { AgentProgram } from '../program.ts'

export const qwen: AgentProgram = {
  name: 'Qwen Code',
  program: 'qwen',
  install: 'Install it: npm install -g @qwen-code/qwen-code.',
  loginHint: 'Run `qwen` once and log in, or set OPENAI_API_KEY.',
  login: {
    variables: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
    files: ['.qwen/oauth_creds.json'],
    status: null,
    conclusive: false,
  },
  folders: { writable: ['.qwen'], readable: ['.qwen/QWEN.md', '.qwen/extensions', '.qwen/commands'] },
  dangerousOptions: ['--yolo', '-y', '--approval-mode=yolo'],
  passEnvironment: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
  print: null,
  acp: { command: ['qwen', '--acp'], env: {}, install: null, showsWork: false, askingMode: () => 'default' },
  measuredVersion: null,
}
