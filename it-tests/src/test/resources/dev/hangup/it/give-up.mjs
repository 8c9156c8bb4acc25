// Asks for every URL of the command line, each after the word "fetch" or "http2", and gives up on it after a second.
// Runs on until it is ended: only the giving up may close a connection.
import { connect } from 'node:http2';

const patience = 1000;

function impatience() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), patience);
  return { signal: controller.signal };
}

const ways = {
  fetch: (url) => fetch(url, impatience()),
  http2: (url) => new Promise((answer, fail) => {
    const { origin, pathname } = new URL(url);
    const session = connect(origin, { rejectUnauthorized: false });
    session.on('error', fail);
    session.request({ ':path': pathname }, impatience()).on('error', fail).on('response', answer);
  }),
};

const words = process.argv.slice(2);
for (let i = 0; i < words.length; i += 2) {
  const url = words[i + 1];
  ways[words[i]](url).then(
    () => console.log(`answered ${url}`),
    (e) => console.log(`${e.name === 'AbortError' ? 'gave up' : e.stack} ${url}`),
  );
}
setInterval(() => {}, 60_000);
