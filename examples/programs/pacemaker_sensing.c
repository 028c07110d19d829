/*
 * A dual-chamber pacemaker in DDD mode: it senses and paces atrium and ventricle, and a beat sensed in
 * one chamber inhibits or triggers what it does in the other. This program is about sensing: around
 * each pace the amplifiers are suspended (blanked), and they must be back soon. Time is counted in
 * interrupts of the clock.
 *
 * Property: sensing is never suspended for more than two steps, and it is toggled in turn: it is
 * suspended only when it is on, and resumed only when it is suspended.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---------------------------------------------------------------- limits, in steps of the clock */

enum {
    LOWER_RATE_INTERVAL = 8,
    AV_DELAY = 2,
    ATRIAL_REFRACTORY = 3,
    VENTRICULAR_REFRACTORY = 3,
    BLANKING = 2,
    NOISE_WINDOW = 2
};

/* ---------------------------------------------------------------- the state of the device */

enum phase { WAITING_FOR_ATRIUM, WAITING_FOR_VENTRICLE };

static enum phase phase;

static int since_ventricle; /* steps since the last ventricular beat */
static int since_atrium;    /* steps since the last atrial beat */
static int atrial_refractory;
static int ventricular_refractory;

static int sensing;         /* are the amplifiers on? */
static int suspended_steps; /* how long they have been off */
static int blanking;        /* how long they shall still be off */

static int noise;           /* steps during which a signal counts as noise */
static int atrial_paces;
static int ventricular_paces;

/* ---------------------------------------------------------------- the property */

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static void suspend_sensing(void)
{
    check(sensing);
    sensing = 0;
    suspended_steps = 0;
    blanking = BLANKING;
}

static void resume_sensing(void)
{
    check(!sensing);
    sensing = 1;
    suspended_steps = 0;
    blanking = 0;
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

static void tick_refractory(void)
{
    atrial_refractory = count_down(atrial_refractory);
    ventricular_refractory = count_down(ventricular_refractory);
}

static void tick_intervals(void)
{
    since_ventricle = count_up(since_ventricle, LOWER_RATE_INTERVAL);
    since_atrium = count_up(since_atrium, AV_DELAY);
}

static void tick_blanking(void)
{
    if (sensing)
        return;
    blanking = count_down(blanking);
    suspended_steps++;
    check(suspended_steps <= 2);
    if (blanking == 0)
        resume_sensing();
}

static void tick_noise(void)
{
    noise = count_down(noise);
}

static void clock_interrupt(void)
{
    tick_refractory();
    tick_intervals();
    tick_blanking();
    tick_noise();
}

/* ---------------------------------------------------------------- pacing */

static int may_pace(void)
{
    return sensing;
}

static void pace_atrium(void)
{
    suspend_sensing();
    atrial_paces = count_up(atrial_paces, 100);
    atrial_refractory = ATRIAL_REFRACTORY;
    since_atrium = 0;
    phase = WAITING_FOR_VENTRICLE;
}

static void pace_ventricle(void)
{
    suspend_sensing();
    ventricular_paces = count_up(ventricular_paces, 100);
    ventricular_refractory = VENTRICULAR_REFRACTORY;
    since_ventricle = 0;
    phase = WAITING_FOR_ATRIUM;
}

static int atrial_escape(void)
{
    return phase == WAITING_FOR_ATRIUM && since_ventricle >= LOWER_RATE_INTERVAL - AV_DELAY;
}

static int ventricular_escape(void)
{
    return phase == WAITING_FOR_VENTRICLE && since_atrium >= AV_DELAY;
}

static void pace_if_due(void)
{
    if (!may_pace())
        return;
    if (atrial_escape())
        pace_atrium();
    else if (ventricular_escape())
        pace_ventricle();
}

/* ---------------------------------------------------------------- sensing */

static int is_noise(void)
{
    if (noise > 0) {
        noise = NOISE_WINDOW;
        return 1;
    }
    return 0;
}

static void sensed_atrium(void)
{
    if (atrial_refractory > 0) {
        noise = NOISE_WINDOW;
        return;
    }
    atrial_refractory = ATRIAL_REFRACTORY;
    if (phase == WAITING_FOR_ATRIUM) {
        since_atrium = 0;
        phase = WAITING_FOR_VENTRICLE;
    }
}

static void sensed_ventricle(void)
{
    if (ventricular_refractory > 0) {
        noise = NOISE_WINDOW;
        return;
    }
    ventricular_refractory = VENTRICULAR_REFRACTORY;
    since_ventricle = 0;
    phase = WAITING_FOR_ATRIUM;
}

static void atrial_interrupt(void)
{
    if (!sensing || is_noise())
        return;
    sensed_atrium();
}

static void ventricular_interrupt(void)
{
    if (!sensing || is_noise())
        return;
    sensed_ventricle();
}

/* ---------------------------------------------------------------- telemetry */

static int telemetry_gap;

static void telemetry_interrupt(void)
{
    /* The coil disturbs the amplifiers, so they are off while it transmits, if it may. */
    if (telemetry_gap > 0 || !sensing)
        return;
    telemetry_gap = LOWER_RATE_INTERVAL;
    suspend_sensing();
}

static void tick_telemetry(void)
{
    telemetry_gap = count_down(telemetry_gap);
}

/* ---------------------------------------------------------------- the harness */

static void reset(void)
{
    phase = WAITING_FOR_ATRIUM;
    since_ventricle = 0;
    since_atrium = 0;
    atrial_refractory = 0;
    ventricular_refractory = 0;
    sensing = 1;
    suspended_steps = 0;
    blanking = 0;
    noise = 0;
    atrial_paces = 0;
    ventricular_paces = 0;
    telemetry_gap = 0;
}

static void heart(void)
{
    int beat = __VERIFIER_nondet_int();
    if (beat == 1)
        atrial_interrupt();
    else if (beat == 2)
        ventricular_interrupt();
    else if (beat == 3)
        telemetry_interrupt();
}

static void step(void)
{
    clock_interrupt();
    tick_telemetry();
    heart();
    pace_if_due();
}

int main(void)
{
    reset();
    while (__VERIFIER_nondet_int() != 0)
        step();
    return 0;
}
