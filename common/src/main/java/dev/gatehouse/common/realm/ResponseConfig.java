package dev.gatehouse.common.realm;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a route adds to its responses: security headers, pages of its own for errors and maintenance.
 *
 * @param securityFields sent where the app says nothing of the kind itself
 * @param errorPages in place of ours
 * @param maintenance what is configured of it, whether it is on or not
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
   * The app is not to be used for now.
   *
   * @param on whether that is so
   * @param until when it will be again; unknown where empty
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

    /** Nothing said. */
    public static final Maintenance PLAIN =
        new Maintenance(false, Optional.empty(), Optional.empty(), List.of(), Set.of());

    /** The same, switched by hand. */
    public Maintenance switched(boolean now, Optional<Instant> end) {
      return new Maintenance(now, end, page, addresses, roles);
    }
  }
}
