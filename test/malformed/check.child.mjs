// Runs `s4r check` on files named by messages, each followed by one that is in order, and answers with what a user would get.
import { run } from '../../dist/cli/program.js';

async function check(file) {
  const caught = { stdout: '', stderr: '' };
  const output = (name) => ({
    write: (text) => {
      caught[name] += text;
    },
  });
  const code = await run(['check', file], { stdout: output('stdout'), stderr: output('stderr') });
  return { code, ...caught };
}

process.on('message', async ({ file, good }) => {
  process.send({ answer: await check(file), after: await check(good) });
});
