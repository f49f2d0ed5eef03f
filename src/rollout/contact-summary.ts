/** Contacts in short, whatever engine found them. */
import type { ContactSummary, EngineContact } from './rollout.js';

/** Contacts sorted by what s4r could do about them. @param all deepest first */
export function summaryOf(all: readonly EngineContact[]): ContactSummary {
  const ofGeoms = all.filter((contact) => !contact.flex);
  const changeable = ofGeoms.filter((contact) => !contact.constant);
  return {
    count: changeable.length,
    penetrating: changeable.filter((contact) => contact.dist < 0).length,
    deepest: changeable[0] ?? null,
    constant: ofGeoms.length - changeable.length,
    flex: all.length - ofGeoms.length,
  };
}
