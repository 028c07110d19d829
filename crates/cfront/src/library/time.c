// <time.h>: clocks that show any time. Time does not run backwards on clocks that promise that.

typedef __typeof__(sizeof(0)) size_t;

int __craig_any_int(void);
long __craig_any_long(void);
char __craig_any_char(void);
char __craig_any_approximate_char(void);
_Bool __craig_any_bool(void);
size_t __craig_any_approximate_size(void);
double __craig_any_double(void);
void __craig_assume(_Bool);
void __craig_use_text(const char *);
void *malloc(size_t);
int *__craig___errno_location(void);

struct __craig_tm {
    int second, minute, hour, day_of_month, month, year, weekday, day_of_year, summer;
    long offset;
    const char *zone;
};

struct __craig_timespec {
    long seconds, nanoseconds;
};

struct __craig_timeval {
    long seconds, microseconds;
};

static int __craig_within(int low, int high) {
    int x = __craig_any_int();
    if (x < low || x > high)
        x = low;
    return x;
}

long __craig_time(long *to) {
    long now = __craig_any_long();
    if (now < -1)
        now = -1;
    if (to)
        *to = now;
    return now;
}

// The difference has a type of its own, so that it is rounded once.
double __craig_difftime(long end, long start) {
    if (end < start)
        return -(double)((unsigned long)start - (unsigned long)end);
    return (double)((unsigned long)end - (unsigned long)start);
}

static long __craig_clock_now;

// Processor time, or -1.
long __craig_clock(void) {
    long now = __craig_any_long();
    if (__craig_any_bool())
        return -1;
    if (now < __craig_clock_now)
        now = __craig_clock_now;
    __craig_clock_now = now;
    return now;
}

static struct __craig_timespec __craig_monotonic;

int __craig_clock_gettime(int clock, struct __craig_timespec *to) {
    long seconds = __craig_any_long(), nanoseconds = __craig_any_long();
    if (__craig_any_bool()) {
        *__craig___errno_location() = 22;
        return -1;
    }
    if (!(0 <= nanoseconds && nanoseconds < 1000000000))
        nanoseconds = 0;
    if (seconds < 0)
        seconds = 0;
    if (clock == 1) {
        if (seconds < __craig_monotonic.seconds)
            seconds = __craig_monotonic.seconds;
        if (seconds == __craig_monotonic.seconds && nanoseconds < __craig_monotonic.nanoseconds)
            nanoseconds = __craig_monotonic.nanoseconds;
        __craig_monotonic.seconds = seconds;
        __craig_monotonic.nanoseconds = nanoseconds;
    }
    to->seconds = seconds;
    to->nanoseconds = nanoseconds;
    return 0;
}

int __craig_timespec_get(struct __craig_timespec *to, int base) {
    if (base != 1 || !__craig_any_bool())
        return 0;
    to->seconds = __craig_any_long();
    to->nanoseconds = __craig_any_long();
    if (to->seconds < 0)
        to->seconds = 0;
    if (!(0 <= to->nanoseconds && to->nanoseconds < 1000000000))
        to->nanoseconds = 0;
    return base;
}

int __craig_gettimeofday(struct __craig_timeval *to, void *zone) {
    long seconds = __craig_any_long(), microseconds = __craig_any_long();
    if (!(0 <= microseconds && microseconds < 1000000))
        microseconds = 0;
    if (seconds < 0)
        seconds = 0;
    if (to) {
        to->seconds = seconds;
        to->microseconds = microseconds;
    }
    return 0;
}

int __craig_nanosleep(const struct __craig_timespec *wanted, struct __craig_timespec *left) {
    long seconds = wanted->seconds;
    if (__craig_any_bool())
        return 0;
    *__craig___errno_location() = 4;
    if (left) {
        left->seconds = __craig_any_long();
        left->nanoseconds = __craig_any_long();
        if (left->seconds < 0)
            left->seconds = 0;
        if (left->nanoseconds < 0 || left->nanoseconds >= 1000000000)
            left->nanoseconds = 0;
    }
    return -1;
}

// Whether the year of a time fits its type; for others there is no date.
static _Bool __craig_has_date(long time) {
    return sizeof(long) < 8 || (-67768040609740800 <= time && time <= 67768036191676799);
}

static struct __craig_tm *__craig_broken_down(struct __craig_tm *to) {
    to->second = __craig_within(0, 60);
    to->minute = __craig_within(0, 59);
    to->hour = __craig_within(0, 23);
    to->day_of_month = __craig_within(1, 31);
    to->month = __craig_within(0, 11);
    to->year = __craig_any_int();
    to->weekday = __craig_within(0, 6);
    to->day_of_year = __craig_within(0, 365);
    to->summer = __craig_within(-1, 1);
    to->offset = __craig_any_long();
    to->zone = "";
    return to;
}

static struct __craig_tm __craig_shown;

static long __craig_floor_quotient(long x, long y) {
    return x / y - (x % y < 0);
}

// The Gregorian calendar, in years that begin with March, so that the day that only some years have is their last. What is
// assumed at the end always holds.
static struct __craig_tm *__craig_date_of(long time, struct __craig_tm *to) {
    long days = __craig_floor_quotient(time, 86400), centuries, fours, years, year;
    int seconds = (int)(time - 86400 * days), month, day, leap;
    to->hour = seconds / 3600;
    to->minute = seconds / 60 % 60;
    to->second = seconds % 60;
    // It began with a Thursday.
    to->weekday = (int)(days + 4 - 7 * __craig_floor_quotient(days + 4, 7));
    // From the first of March in the year 0.
    days = days + 719468;
    year = __craig_floor_quotient(days, 146097);
    days = days - 146097 * year;
    centuries = days == 146096 ? 3 : days / 36524;
    days = days - 36524 * centuries;
    fours = days / 1461;
    days = days - 1461 * fours;
    years = days == 1460 ? 3 : days / 365;
    day = (int)(days - 365 * years);
    year = 400 * year + 100 * centuries + 4 * fours + years;
    leap = years == 0 && (fours != 0 || centuries == 0);
    // Five months in a row have 153 days.
    month = (5 * day + 2) / 153;
    to->day_of_month = day - (153 * month + 2) / 5 + 1;
    to->day_of_year = month < 10 ? day + 59 + leap : day - 306;
    to->month = month < 10 ? month + 2 : month - 10;
    to->year = (int)(month < 10 ? year - 1900 : year - 1899);
    to->summer = 0;
    to->offset = 0;
    to->zone = "GMT";
    __craig_assume(0 <= to->second && to->second < 60 && 0 <= to->minute && to->minute < 60);
    __craig_assume(0 <= to->hour && to->hour < 24 && 0 <= to->weekday && to->weekday < 7);
    __craig_assume(0 <= to->month && to->month < 12 && 0 < to->day_of_month && to->day_of_month <= 31);
    __craig_assume(0 <= to->day_of_year && to->day_of_year < 366);
    return to;
}

struct __craig_tm *__craig_gmtime(const long *time) {
    return __craig_has_date(*time) ? __craig_date_of(*time, &__craig_shown) : 0;
}

struct __craig_tm *__craig_localtime(const long *time) {
    return __craig_has_date(*time) ? __craig_broken_down(&__craig_shown) : 0;
}

struct __craig_tm *__craig_gmtime_r(const long *time, struct __craig_tm *to) {
    return __craig_has_date(*time) ? __craig_date_of(*time, to) : 0;
}

struct __craig_tm *__craig_localtime_r(const long *time, struct __craig_tm *to) {
    return __craig_has_date(*time) ? __craig_broken_down(to) : 0;
}

long __craig_mktime(struct __craig_tm *tm) {
    long result = __craig_any_long();
    if (result != -1)
        __craig_broken_down(tm);
    return result;
}

// A time of day that is normalised, and its seconds.
long __craig_timegm(struct __craig_tm *tm) {
    return __craig_mktime(tm);
}

// The zone of the environment.
void __craig_tzset(void) {
}

static char __craig_date[26];

// "Sun Sep 16 01:03:52 1973\n"
static char *__craig_date_text(char *to, char c) {
    int i;
    for (i = 0; i < 24; i++) {
        if (!(' ' <= c && c <= 'z'))
            c = ' ';
        to[i] = c;
        c = __craig_any_char();
    }
    to[24] = '\n';
    to[25] = 0;
    return to;
}

char *__craig_ctime(const long *time) {
    return __craig_has_date(*time) ? __craig_date_text(__craig_date, __craig_any_approximate_char()) : 0;
}

char *__craig_ctime_r(const long *time, char *to) {
    return __craig_has_date(*time) ? __craig_date_text(to, __craig_any_approximate_char()) : 0;
}

char *__craig_asctime(const struct __craig_tm *tm) {
    int year = tm->year;
    return __craig_any_bool() ? 0 : __craig_date_text(__craig_date, __craig_any_approximate_char());
}

char *__craig_asctime_r(const struct __craig_tm *tm, char *to) {
    int year = tm->year;
    return __craig_any_bool() ? 0 : __craig_date_text(to, __craig_any_approximate_char());
}

// How many characters there are, or 0 if they do not fit.
size_t __craig_strftime(char *to, size_t limit, const char *format, const struct __craig_tm *tm) {
    size_t n = __craig_any_approximate_size(), i;
    int second = tm->second;
    __craig_use_text(format);
    if (!(n < limit || limit == 0))
        n = 0;
    if (limit == 0)
        return 0;
    for (i = 0; i < n; i++) {
        char c = __craig_any_char();
        if (c == 0)
            c = 'x';
        to[i] = c;
    }
    to[n] = 0;
    return n;
}

// A timer is a name that means nothing; it never runs out.
int __craig_timer_create(int clock, void *event, void **timer) {
    if (__craig_any_bool()) {
        *__craig___errno_location() = __craig_any_bool() ? 11 : 22;
        return -1;
    }
    *timer = (void *)1;
    return 0;
}

int __craig_timer_delete(void *timer) {
    if (timer == (void *)1)
        return 0;
    *__craig___errno_location() = 22;
    return -1;
}
