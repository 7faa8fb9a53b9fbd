/** Spoken, written and mixed forms of callsigns and values, ICAO and FAA: `text|slot=value …`, written before they were tried. Every slot named has that one value. */
import { expect, test } from 'vitest';
import { understand } from './index.js';

const FORMS = `
lufthansa 3 2 4 descend 9000|callsign=DLH324 altitude=9000
DLH324 descend FL90|callsign=DLH324 altitude=FL90
speedbird two forty six climb FL350|callsign=BAW246 altitude=FL350
delta ten seventy two descend and maintain one zero thousand|callsign=DAL1072 altitude=10000
turn left by ten degrees swiss four|heading=L010 callsign=SWR4
swiss four turn left twenty degrees|heading=L020
swiss four maintain present heading|heading=PRESENT
swiss four fly runway heading|heading=RUNWAY
air china nine eight four descend one two hundred metres|altitude=1200M
swiss four maintain mach decimal seven eight|speed=M0.78
swiss four maintain mach point eight two|speed=M0.82
united nine speed one eighty|speed=180
contact radar 118.35|frequency=118.350
contact radar one one eight three five|frequency=118.350
contact radar 11835|frequency=118.350
contact tower one two one decimal seven two five|frequency=121.725
swiss four contact zurich one three five decimal two two five|frequency=135.225
runway one six left cleared to land swiss four|runway=16L
cleared to land 16 romeo swiss four|runway=16R
cleared to land runway seven november one two three four five|runway=07 callsign=N12345
altimeter two niner niner two november one two alfa bravo|qnh=29.92 callsign=N12AB
altimeter 30.12 united nine|qnh=30.12
qnh one zero one three swiss four|qnh=1013
qnh niner niner eight hectopascals swiss four|qnh=998
squawk four six seven one swiss four|squawk=4671
squawk 7000 oscar kilo papa mike bravo|squawk=7000 callsign=OKPMB
hotel bravo india juliett kilo cleared to land runway one four|callsign=HBIJK runway=14
OK-PMB report final runway 24|callsign=OKPMB
cessna november seven three four golf taxi to runway three one|callsign=N734G runway=31
reach four five one heavy climb flight level two eight zero|callsign=RCH451 altitude=FL280
coast guard two one zero four cleared to land runway one two|runway=12
rescue helicopter five two cleared to cross runway two five|runway=25
navy copter three one maintain two thousand|altitude=2000
emirates two super wake turbulence contact tower one one eight decimal one|callsign=UAE2 frequency=118.100
turn right heading three six zero klm two three quebec|heading=360 callsign=KLM23Q
klm two three quebec cross kilnu at flight level one hundred|waypoint=KILNU altitude=FL100
klm two three quebec hold over kilnu|waypoint=KILNU
klm two three quebec cleared kilnu two alfa departure|procedure=KILNU2A
klm two three quebec cleared rnp zulu approach runway two two|approach=RNPZ runway=22
klm two three quebec cleared ils yankee approach runway zero six|approach=ILSY runway=06
klm two three quebec taxi stand one one four via november and papa two|stand=114
klm two three quebec holding point mike three|holding_point=M3
klm two three quebec wind two four zero degrees one five knots gusting two eight|wind=240/15G28
klm two three quebec descend two thousand five hundred feet|altitude=2500
klm two three quebec descend twelve hundred feet|altitude=1200
klm two three quebec climb flight level one three zero rate one thousand five hundred feet per minute|altitude=FL130 vertical_rate=1500
klm two three quebec reduce speed two-fifty|speed=250
klm two three quebec turn left two-forty-six|heading=246
klm two three quebec descend tree thousand fife hundred feet|altitude=3500
klm two three quebec contact one two niner dayseemal fower|frequency=129.400
klm two three quebec transition level seven zero|transition_level=FL70
klm two three quebec report passing flight level eight zero|callsign=KLM23Q
klm two three quebec distance one two miles from touchdown turn left heading zero four zero|heading=040
klm two three quebec time three five|time=35
ryanair eight lima papa descend flight level 1 0 0|altitude=FL100 callsign=RYR8LP
ryanair 8LP descend level one hundred|altitude=FL100 callsign=RYR8LP
ryan air eight lima papa speed 2 2 0 knots|speed=220
qnh 1 0 1 3 ryanair eight lima papa|qnh=1013
runway two seven right cleared for take off wind calm ryanair eight lima papa|runway=27R
november niner tango lima climb and maintain one one thousand five hundred|altitude=11500 callsign=N9TL
american seventeen heavy descend and maintain flight level two four zero|callsign=AAL17 altitude=FL240
jetblue twelve fly heading zero one zero vectors to the visual runway three one right|heading=010 runway=31R
skywest thirty two oh five turn right heading one oh five|callsign=SKW3205 heading=105
southwest one eleven maintain one hundred seventy knots|speed=170 callsign=SWA111
lufthansa one two alfa climb five thousand qnh one zero two three squawk one two three four|altitude=5000 qnh=1023 squawk=1234
easy 45 KM turn left heading 3 0 0|callsign=EZY45KM heading=300
wizzair 2 kilo papa contact praha radar 127 decimal 125|callsign=WZZ2KP frequency=127.125
`;

test.each(FORMS.trim().split('\n'))('P1 P4 P10 %s', (line) => {
  const [text = '', expected = ''] = line.split('|');
  const found = understand({ id: 'f', text });
  for (const pair of expected.split(' ')) {
    const [slot = '', value] = pair.split('=');
    if (slot === 'callsign') expect(found.callsign).toBe(value);
    else expect((found.values as Record<string, readonly string[]>)[slot]).toEqual([value]);
  }
});
