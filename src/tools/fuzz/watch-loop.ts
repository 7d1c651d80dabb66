import { longestBlock } from './longest-block.ts'

// Preloaded into a process under test (`node --import`): reports over IPC how long its event loop was blocked.

process.on('message', (message) => {
  if (message === 'longest block?') process.send?.({ longestBlock: longestBlock() })
})
