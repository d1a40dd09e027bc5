package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HttpDate;
import java.util.List;
import java.util.OptionalLong;

/**
 * The time for which a response may be used without asking the app (RFC 9111, section 4.2). Times are in seconds since the epoch.
 *
 * @param born when the response was generated at its origin, as far as it is known
 * @param explicit whether the app itself has set the lifetime
 * @param lifetime in seconds, from {@code born}
 * @param whileRevalidate how long afterwards it may be used while it is refreshed
 * @param ifError how long afterwards it may be used if the app fails
 */
public record Freshness(long born, boolean explicit, long lifetime, long whileRevalidate, long ifError) {

  /**
   * @param asked when the request was sent
   * @param answered when the response arrived
   */
  public static Freshness of(Fields fields, CacheConfig config, long asked, long answered) {
    return of(fields, fields, control(fields), config, asked, answered);
  }

  /** @param transfer the fields of the latest message, whose Age applies */
  static Freshness of(
      Fields fields, Fields transfer, CacheControl control, CacheConfig config, long asked, long answered) {
    OptionalLong date = date(fields, "date");
    long apparent = date.isPresent() ? Math.max(0, answered - date.getAsLong()) : 0;
    long corrected = age(transfer) + Math.max(0, answered - asked);
    long born = answered - Math.max(apparent, corrected);
    boolean targeted = TargetedCacheControl.of(fields.all(FieldName.CDN_CACHE_CONTROL)).isPresent();
    long said = lifetime(fields, control, date.orElse(answered), targeted);
    boolean explicit = said >= 0;
    long seconds = explicit ? said : config.defaultFreshness().map(d -> d.toSeconds()).orElse(0L);
    if (control.noCache()) {
      seconds = 0;
    }
    seconds = Math.min(seconds, config.maxAge().map(d -> d.toSeconds()).orElse(CacheControl.FOREVER));
    boolean strict = control.alwaysRevalidates();
    boolean routeMay = !strict && control.sharedMaxAge() < 0;
    return new Freshness(
        born,
        explicit,
        seconds,
        strict ? 0 : stale(control.staleWhileRevalidate(), routeMay, config.staleWhileRevalidate().toSeconds()),
        strict ? 0 : stale(control.staleIfError(), routeMay, config.staleIfError().toSeconds()));
  }

  /**
   * The app's directive; otherwise the route's configuration, which s-maxage overrides (RFC 9111, section 5.2.2.10).
   */
  private static long stale(long said, boolean routeMay, long configured) {
    return said >= 0 ? said : routeMay ? configured : 0;
  }

  /**
   * @param targeted whether the directives come from CDN-Cache-Control, in which case Expires is ignored (RFC 9213,
   *     section 2.1)
   */
  private static long lifetime(Fields fields, CacheControl control, long date, boolean targeted) {
    if (control.sharedMaxAge() >= 0) {
      return control.sharedMaxAge();
    }
    if (control.maxAge() >= 0) {
      return control.maxAge();
    }
    List<String> expires = targeted ? List.of() : HeadFields.all(fields, "expires");
    if (expires.isEmpty()) {
      return -1;
    }
    OptionalLong until = expires.size() == 1 ? HttpDate.parse(expires.getFirst()) : OptionalLong.empty();
    return until.isPresent() ? Math.max(0, until.getAsLong() - date) : 0;
  }

  private static OptionalLong date(Fields fields, String name) {
    return HeadFields.only(fields, name).map(HttpDate::parse).orElse(OptionalLong.empty());
  }

  /** The first member of the Age field; an unreadable one counts as absent (RFC 9111, section 5.1). */
  private static long age(Fields fields) {
    List<String> values = HeadFields.all(fields, "age");
    String first = values.isEmpty() ? "" : values.getFirst().split(",", 2)[0].strip();
    if (!first.matches("[0-9]+")) {
      return 0;
    }
    return first.length() > 10 ? CacheControl.FOREVER : Math.min(CacheControl.FOREVER, Long.parseLong(first));
  }

  public long age(long now) {
    return Math.max(0, now - born);
  }

  /** The time at which it is no longer fresh. */
  public long end() {
    return born + lifetime;
  }

  public boolean isFresh(long now) {
    return now < born + lifetime;
  }

  /** Returns whether it may be served now while it is refreshed. */
  boolean mayServeWhileAsking(long now) {
    return now < end() + whileRevalidate;
  }

  /** Returns whether it may be served now if the app fails. */
  boolean mayServeOnError(long now) {
    return now < end() + ifError;
  }

  /**
   * The directives for this cache: CDN-Cache-Control if it can be parsed, otherwise Cache-Control (RFC 9213, section
   * 2.1).
   */
  static CacheControl control(Fields response) {
    if (response.next(FieldName.CDN_CACHE_CONTROL, 0) < 0) {
      return CacheControl.of(response.all(FieldName.CACHE_CONTROL));
    }
    return TargetedCacheControl.of(response.all(FieldName.CDN_CACHE_CONTROL))
        .orElseGet(() -> CacheControl.of(response.all(FieldName.CACHE_CONTROL)));
  }
}
