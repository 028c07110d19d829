/*
 * A dual-chamber pacemaker that changes its mode: DDD in general, VDI while the atrium is too fast
 * (mode switch), VOO under a magnet, and a backup mode with an exhausted battery. Changing the mode
 * means to stop what the old one has started and to start what the new one needs.
 *
 * Property: atrial pacing and atrial tracking happen in modes that have them; the amplifiers are
 * switched on and off in turn, and are on in exactly the modes that sense; a mode is left only for
 * one that may follow it.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* ---------------------------------------------------------------- modes and limits */

enum mode { DDD, VDI, VOO, BACKUP };

enum {
    TACHYCARDIA_BEATS = 3,   /* fast atrial beats until the mode is switched */
    RECOVERY_BEATS = 2,      /* slow ones until it is switched back */
    BATTERY_FULL = 4,
    BATTERY_LOW = 2,
    ATRIAL_INTERVAL = 3,
    LOWER_RATE_INTERVAL = 5,
    AV_DELAY = 2
};

/* ---------------------------------------------------------------- the state of the device */

static enum mode mode;
static enum mode mode_before_magnet;

static int amplifiers;      /* on or off */
static int tracking;        /* does the ventricle follow the atrium? */
static int atrial_output;   /* may the atrium be paced? */

static int fast_beats;
static int slow_beats;
static int since_atrium;
static int since_ventricle;
static int av_timer;        /* runs while a tracked atrial beat waits for its ventricular one */
static int av_running;

static int battery;
static int magnet;

/* ---------------------------------------------------------------- the property */

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int senses(enum mode m)
{
    return m == DDD || m == VDI;
}

static void check_mode(void)
{
    check(amplifiers == senses(mode));
    check(tracking == (mode == DDD));
    check(atrial_output == (mode == DDD));
}

static int may_follow(enum mode from, enum mode to)
{
    if (from == BACKUP)
        return 0;
    if (to == BACKUP)
        return 1;
    return from != to;
}

/* ---------------------------------------------------------------- the parts that modes use */

static void switch_amplifiers_on(void)
{
    check(!amplifiers);
    amplifiers = 1;
    fast_beats = 0;
    slow_beats = 0;
}

static void switch_amplifiers_off(void)
{
    check(amplifiers);
    amplifiers = 0;
}

static void start_tracking(void)
{
    tracking = 1;
    atrial_output = 1;
    av_running = 0;
}

static void stop_tracking(void)
{
    tracking = 0;
    atrial_output = 0;
    av_running = 0;
    av_timer = 0;
}

static void leave(enum mode old)
{
    if (senses(old))
        switch_amplifiers_off();
    if (old == DDD)
        stop_tracking();
}

static void enter(enum mode new)
{
    if (senses(new))
        switch_amplifiers_on();
    if (new == DDD)
        start_tracking();
    mode = new;
}

static void change_mode(enum mode new)
{
    check(may_follow(mode, new));
    leave(mode);
    enter(new);
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

static void tick(void)
{
    since_atrium = count_up(since_atrium, LOWER_RATE_INTERVAL);
    since_ventricle = count_up(since_ventricle, LOWER_RATE_INTERVAL);
    if (av_running)
        av_timer = count_down(av_timer);
}

/* ---------------------------------------------------------------- pacing */

static void pace_ventricle(void)
{
    since_ventricle = 0;
    av_running = 0;
    battery = count_down(battery);
}

static void track_atrium(void)
{
    check(mode == DDD);
    if (!av_running) {
        av_running = 1;
        av_timer = AV_DELAY;
    }
}

static void pace_atrium(void)
{
    check(mode == DDD);
    since_atrium = 0;
    battery = count_down(battery);
    track_atrium();
}

static int tracked_beat_due(void)
{
    return tracking && av_running && av_timer == 0;
}

static void pace_if_due(void)
{
    if (tracked_beat_due() || since_ventricle >= LOWER_RATE_INTERVAL)
        pace_ventricle();
    else if (atrial_output && since_atrium >= LOWER_RATE_INTERVAL - AV_DELAY)
        pace_atrium();
}

/* ---------------------------------------------------------------- sensing and mode switch */

static void count_beat(void)
{
    if (since_atrium < ATRIAL_INTERVAL) {
        fast_beats = count_up(fast_beats, TACHYCARDIA_BEATS);
        slow_beats = 0;
    } else {
        slow_beats = count_up(slow_beats, RECOVERY_BEATS);
        fast_beats = 0;
    }
}

static void consider_mode_switch(void)
{
    if (mode == DDD && fast_beats >= TACHYCARDIA_BEATS)
        change_mode(VDI);
    else if (mode == VDI && slow_beats >= RECOVERY_BEATS)
        change_mode(DDD);
}

static void atrial_interrupt(void)
{
    if (!amplifiers)
        return;
    count_beat();
    since_atrium = 0;
    if (tracking)
        track_atrium();
    consider_mode_switch();
}

static void ventricular_interrupt(void)
{
    if (!amplifiers)
        return;
    since_ventricle = 0;
    av_running = 0;
}

/* ---------------------------------------------------------------- magnet and battery */

static void magnet_interrupt(void)
{
    if (!magnet) {
        magnet = 1;
        mode_before_magnet = mode;
        change_mode(VOO);
    } else {
        magnet = 0;
        change_mode(mode_before_magnet);
    }
}

static void watch_battery(void)
{
    if (battery <= BATTERY_LOW && mode != BACKUP)
        change_mode(BACKUP);
}

/* ---------------------------------------------------------------- the harness */

static void reset(void)
{
    mode = VOO;
    mode_before_magnet = DDD;
    amplifiers = 0;
    tracking = 0;
    atrial_output = 0;
    since_atrium = 0;
    since_ventricle = 0;
    av_timer = 0;
    av_running = 0;
    battery = BATTERY_FULL;
    magnet = 0;
    change_mode(DDD);
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
    if (__VERIFIER_nondet_int() == 3)
        magnet_interrupt();
    watch_battery();
}

static void step(void)
{
    tick();
    heart();
    pace_if_due();
    surroundings();
    check_mode();
}

int main(void)
{
    reset();
    while (__VERIFIER_nondet_int() != 0)
        step();
    return 0;
}
