/*
 * A dual-chamber pacemaker in DDD mode, the pacing side: the intervals that decide when atrium and
 * ventricle are paced, the upper rate limit that keeps a fast atrium from driving the ventricle, and
 * the hysteresis that lets a slow heart beat by itself. Time is counted in interrupts of the clock.
 *
 * Property: the ventricle is never paced sooner after a ventricular beat than the upper rate interval
 * allows, an atrial pace is never followed by another without a ventricular beat between them, and the
 * charge of the output capacitor suffices for every pace.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---------------------------------------------------------------- limits, in steps of the clock */

enum {
    LOWER_RATE_INTERVAL = 10,
    UPPER_RATE_INTERVAL = 5,
    HYSTERESIS = 2,
    AV_DELAY = 3,
    SENSED_AV_DELAY = 2,
    ATRIAL_REFRACTORY = 3,
    FULL_CHARGE = 2,
    PACE_CHARGE = 2
};

/* ---------------------------------------------------------------- the state of the device */

enum chamber { NONE, ATRIUM, VENTRICLE };

static enum chamber last_event;
static int last_was_pace;

static int since_ventricle;
static int since_atrium;
static int av_delay;
static int escape_interval;
static int atrial_refractory;

static int charge;       /* of the output capacitor */
static int charging;
static int lead_checks;
static int paces_since_check;

/* ---------------------------------------------------------------- the property */

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static void check_atrial_pace(void)
{
    check(!(last_event == ATRIUM && last_was_pace));
    check(charge >= PACE_CHARGE);
}

static void check_ventricular_pace(void)
{
    check(since_ventricle >= UPPER_RATE_INTERVAL);
    check(charge >= PACE_CHARGE);
}

/* ---------------------------------------------------------------- timers */

static int count_down(int timer)
{
    return timer > 0 ? timer - 1 : 0;
}

static int count_up(int timer, int limit)
{
    return timer < limit ? timer + 1 : limit;
}

static void tick_intervals(void)
{
    since_ventricle = count_up(since_ventricle, LOWER_RATE_INTERVAL + HYSTERESIS);
    since_atrium = count_up(since_atrium, LOWER_RATE_INTERVAL);
    atrial_refractory = count_down(atrial_refractory);
}

/* ---------------------------------------------------------------- the output stage */

static void tick_charge(void)
{
    if (!charging)
        return;
    charge = count_up(charge, FULL_CHARGE);
    if (charge == FULL_CHARGE)
        charging = 0;
}

static int is_charged(void)
{
    return charge >= PACE_CHARGE;
}

static void discharge(void)
{
    charge = charge - PACE_CHARGE;
    charging = 1;
}

static void leak(void)
{
    /* A capacitor that is not charging loses some of its charge, and is charged again. */
    if (!charging && charge > 0) {
        charge = charge - 1;
        charging = 1;
    }
}

/* ---------------------------------------------------------------- events */

static void atrial_event(int paced)
{
    last_event = ATRIUM;
    last_was_pace = paced;
    since_atrium = 0;
    atrial_refractory = ATRIAL_REFRACTORY;
    av_delay = paced ? AV_DELAY : SENSED_AV_DELAY;
}

static void ventricular_event(int paced)
{
    last_event = VENTRICLE;
    last_was_pace = paced;
    since_ventricle = 0;
    /* After a beat of its own the heart gets more time for the next. */
    escape_interval = paced ? LOWER_RATE_INTERVAL : LOWER_RATE_INTERVAL + HYSTERESIS;
}

/* ---------------------------------------------------------------- pacing */

static int waits_for_ventricle(void)
{
    return last_event == ATRIUM;
}

static int atrial_pace_due(void)
{
    return !waits_for_ventricle() && since_ventricle >= escape_interval - AV_DELAY;
}

static int ventricular_pace_due(void)
{
    return waits_for_ventricle() && since_atrium >= av_delay && since_ventricle >= UPPER_RATE_INTERVAL;
}

static void pace_atrium(void)
{
    check_atrial_pace();
    discharge();
    paces_since_check = count_up(paces_since_check, 100);
    atrial_event(1);
}

static void pace_ventricle(void)
{
    check_ventricular_pace();
    discharge();
    paces_since_check = count_up(paces_since_check, 100);
    ventricular_event(1);
}

static void pace_if_due(void)
{
    if (!is_charged())
        return;
    if (ventricular_pace_due())
        pace_ventricle();
    else if (atrial_pace_due())
        pace_atrium();
}

/* ---------------------------------------------------------------- sensing */

static void atrial_interrupt(void)
{
    if (atrial_refractory > 0)
        return;
    if (!waits_for_ventricle())
        atrial_event(0);
}

static void ventricular_interrupt(void)
{
    ventricular_event(0);
}

/* ---------------------------------------------------------------- lead check */

static int lead_check_due(void)
{
    return paces_since_check >= 100;
}

static void check_leads(void)
{
    /* The impedance is measured with a small part of the charge, if the capacitor is idle. */
    if (charging)
        return;
    paces_since_check = 0;
    lead_checks = count_up(lead_checks, 1000);
    leak();
}

/* ---------------------------------------------------------------- magnet response */

static int magnet;

static void magnet_interrupt(void)
{
    magnet = !magnet;
}

static void magnet_pacing(void)
{
    /* Under a magnet the pacemaker ignores what it senses, and paces at its lower rate. */
    if (!is_charged())
        return;
    if (waits_for_ventricle()) {
        if (ventricular_pace_due())
            pace_ventricle();
    } else if (atrial_pace_due()) {
        pace_atrium();
    }
}

/* ---------------------------------------------------------------- the harness */

static void reset(void)
{
    last_event = NONE;
    last_was_pace = 0;
    since_ventricle = 0;
    since_atrium = 0;
    av_delay = AV_DELAY;
    escape_interval = LOWER_RATE_INTERVAL;
    atrial_refractory = 0;
    charge = 0;
    charging = 1;
    lead_checks = 0;
    paces_since_check = 0;
    magnet = 0;
}

static void clock_interrupt(void)
{
    tick_intervals();
    tick_charge();
}

static void heart(void)
{
    int beat = __VERIFIER_nondet_int();
    if (beat == 1)
        atrial_interrupt();
    else if (beat == 2)
        ventricular_interrupt();
}

static void surroundings(void)
{
    int event = __VERIFIER_nondet_int();
    if (event == 1)
        magnet_interrupt();
    else if (event == 2)
        leak();
    if (lead_check_due())
        check_leads();
}

static void step(void)
{
    clock_interrupt();
    surroundings();
    if (magnet) {
        magnet_pacing();
    } else {
        heart();
        pace_if_due();
    }
}

int main(void)
{
    reset();
    while (__VERIFIER_nondet_int() != 0)
        step();
    return 0;
}
