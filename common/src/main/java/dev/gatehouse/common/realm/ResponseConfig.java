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
 * @param maintenance present while the route is under maintenance
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
   * @param until when it will be again; unknown where empty
   * @param page in place of ours
   * @param addresses whose requests pass
   * @param roles whose people pass
   */
  public record Maintenance(
      Optional<Instant> until, Optional<String> page, List<Cidr> addresses, Set<String> roles) {
    public Maintenance {
      addresses = List.copyOf(addresses);
      roles = Set.copyOf(roles);
    }

    /** For everybody, until it is switched off. */
    public static final Maintenance PLAIN = new Maintenance(Optional.empty(), Optional.empty(), List.of(), Set.of());
  }
}
