/** Rollouts as text for people. */
import type { Motion, Peak, Rollout } from '../rollout/mujoco.js';
import { count, millimetres, plain, short } from './format.js';
import type { RolloutPair } from './rollouts.js';
import { formatTable } from './table.js';

const speed = (value: number) => `${short(value)} m/s`;

/** Everything a rollout measured, in a few lines. */
export function showRollout(rollout: Rollout): string {
  const { movable, all, start, end, warnings, badStep } = rollout;
  return [
    showSettings(rollout),
    showMotion(count(movable.bodies, 'floating body', 'floating bodies'), movable),
    all.bodies === movable.bodies ? '' : showMotion(`all ${count(all.bodies, 'moving body', 'moving bodies')}`, all),
    `\n${showContacts('start', start)}`,
    end === null ? '' : showContacts('end', end),
    ...warnings.map(({ name, count: times, text }) => `warning ${name}, ${count(times, 'time')}: ${text}\n`),
    badStep === null ? '' : `unstable at step ${badStep.step} (${badStep.quantity} of ${plain(badStep.body)}): stopped there\n`,
  ].join('');
}

/** Peak speeds of what s4r may move, before and after. */
export function showRolloutPairs(pairs: readonly RolloutPair[], all: boolean): string {
  const [first] = pairs;
  if (first === undefined) return '';
  const { engine, timestep, seconds } = first.before;
  const peak = (rollout: Rollout | null) => {
    if (rollout === null) return '';
    return rollout.badStep === null ? speed(rollout.movable.speed?.value ?? 0) : 'unstable';
  };
  const table = formatTable(
    pairs,
    [
      { title: 'peak speed', align: 'left', text: ({ gravity }) => (gravity ? 'with gravity' : 'without gravity') },
      { title: 'before', align: 'right', text: ({ before }) => peak(before) },
      { title: 'after', align: 'right', text: ({ after }) => peak(after) },
    ],
    all,
  );
  return `\nrolled out for ${short(seconds)} s in ${engine.name} ${engine.version}, time step ${short(1000 * timestep)} ms\n${table}`;
}

function showSettings({ engine, seconds, steps, timestep, gravity }: Rollout): string {
  const pull = gravity.every((value) => value === 0) ? 'no gravity' : `gravity ${gravity.map(short).join(' ')} m/s^2`;
  return `${engine.name} ${engine.version}: ${short(seconds)} s in ${count(steps, 'step')} of ${short(1000 * timestep)} ms, ${pull}\n`;
}

function showMotion(title: string, motion: Motion): string {
  const line = (name: string, peak: Peak | null, text: (value: number) => string) => {
    if (peak === null) return '';
    const where = peak.value === 0 ? '' : `  ${plain(peak.body)}, at ${short(peak.time)} s`;
    return `  ${name.padEnd(22)}${text(peak.value).padStart(12)}${where}\n`;
  };
  return [
    `\n${title}\n`,
    line('peak speed', motion.speed, speed),
    line('peak angular speed', motion.angularSpeed, (value) => `${short(value)} rad/s`),
    line('largest displacement', motion.displacement, millimetres),
  ].join('');
}

function showContacts(when: string, { count: contacts, penetrating, deepest }: Rollout['start']): string {
  if (contacts === 0) return `no contacts at the ${when}\n`;
  const deep =
    deepest === null || deepest.dist >= 0
      ? ''
      : `, deepest ${millimetres(-deepest.dist)} (${plain(deepest.bodyA)}, ${plain(deepest.bodyB)})`;
  return `${count(contacts, 'contact')} at the ${when}, ${penetrating} penetrating${deep}\n`;
}
