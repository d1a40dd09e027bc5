package dev.gatehouse.common.realm;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A route's additions to its responses: security headers, its own pages for errors, and maintenance.
 *
 * @param securityFields sent if the app does not send such a field itself
 * @param errorPages in place of ours
 * @param maintenance the configured settings, whether maintenance is on or not
 */
public record ResponseConfig(
    List<SecurityField> securityFields, ErrorPages errorPages, Optional<Maintenance> maintenance) {

  /** Nothing. */
  public static final ResponseConfig PLAIN = new ResponseConfig(List.of(), ErrorPages.NONE, Optional.empty());

  public ResponseConfig {
    securityFields = List.copyOf(securityFields);
  }

  /** One header. */
  public record SecurityField(String name, String value) {}

  /**
   * Maintenance: the app must not be used for some time.
   *
   * @param on whether maintenance is on
   * @param until when it ends; unknown if empty
   * @param page in place of ours
   * @param addresses whose requests pass
   * @param roles whose people pass
   */
  public record Maintenance(
      boolean on, Optional<Instant> until, Optional<String> page, List<Cidr> addresses, Set<String> roles) {
    public Maintenance {
      addresses = List.copyOf(addresses);
      roles = Set.copyOf(roles);
    }

    /** No settings. */
    public static final Maintenance PLAIN =
        new Maintenance(false, Optional.empty(), Optional.empty(), List.of(), Set.of());

    /** Returns these settings, switched on or off by hand. */
    public Maintenance switched(boolean now, Optional<Instant> end) {
      return new Maintenance(now, end, page, addresses, roles);
    }
  }
}
