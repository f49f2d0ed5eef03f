import { expect, test } from '@jest/globals';
import { S4rError } from '../../src/core/errors.js';

test.each([
  [{}, 'broken'],
  [{ file: 'a.xml' }, 'a.xml: broken'],
  [{ file: 'a.xml', line: 3 }, 'a.xml:3: broken'],
  [{ file: 'a.xml', line: 3, element: '<geom>' }, 'a.xml:3: <geom>: broken'],
  [{ line: 3, element: '<geom>' }, '<geom>: broken'],
])('the message starts with the place %j', (place, message) => {
  const error = new S4rError('INVALID_INPUT', 'broken', place);
  expect(error).toMatchObject({ name: 'S4rError', code: 'INVALID_INPUT', message, place });
  expect(error).toBeInstanceOf(Error);
});

test('messages are one line, and keep their cause', () => {
  const cause = new Error('below');
  const error = new S4rError('INTERNAL', 'first\n   second', {}, { cause });
  expect(error.message).toBe('first second');
  expect(error.cause).toBe(cause);
});
