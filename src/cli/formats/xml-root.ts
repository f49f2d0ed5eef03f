/** What an XML file is, by its beginning. */

/** Byte order mark, space, comments, declarations and doctypes. */
const SKIPPED = /\s+|\xef\xbb\xbf|<!--[\s\S]*?-->|<\?[\s\S]*?>|<![^-][^>]*>/y;
const START_TAG = /<([A-Za-z_:][\w:.-]*)/y;

/** Name of the root element; undefined if the text does not start with one. */
export function rootElement(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  let at = 0;
  SKIPPED.lastIndex = 0;
  while (SKIPPED.test(text)) at = SKIPPED.lastIndex;
  START_TAG.lastIndex = at;
  return START_TAG.exec(text)?.[1];
}
