package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A realm that has a service provider, and that. */
public record SpRealm(Realm realm, SpConfig sp) {

  public static Optional<SpRealm> of(Realm realm) {
    return realm.sp().map(sp -> new SpRealm(realm, sp));
  }

  public String name() {
    return realm.name();
  }

  public Origin home() {
    return sp.home();
  }

  /** Whose assertions count: entity IDs, in the configured order. */
  public List<String> identityProviders() {
    return sp.identityProviders();
  }

  /** Whether the request was made to the home origin, the only one that messages name. */
  public boolean isHome(EdgeRequest request) {
    return request.origin().equals(home());
  }

  /** Home first, then the other origins. */
  public Stream<Origin> origins() {
    return Stream.concat(Stream.of(home()), sp.otherOrigins().stream());
  }
}
