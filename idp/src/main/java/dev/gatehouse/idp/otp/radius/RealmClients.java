package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Optional;

/** The clients of a realm as it is now; a changed realm has a new table. */
final class RealmClients {

  private record Indexed(Realm realm, ClientTable table) {}

  private final Realms realms;
  private final String realm;
  private volatile Optional<Indexed> last = Optional.empty();

  RealmClients(Realms realms, String realm) {
    this.realms = realms;
    this.realm = realm;
  }

  String realm() {
    return realm;
  }

  Optional<KnownClient> at(InetAddress address) {
    return table().flatMap(table -> table.at(address));
  }

  Optional<KnownClient> named(Collection<String> names) {
    return table().flatMap(table -> table.named(names));
  }

  private Optional<ClientTable> table() {
    Optional<Realm> now = realms.find(realm);
    Optional<Indexed> known = last;
    if (now.isPresent() && known.isPresent() && known.get().realm() == now.get()) {
      return known.map(Indexed::table);
    }
    Optional<Indexed> made = now.map(found -> new Indexed(found, new ClientTable(found)));
    last = made;
    return made.map(Indexed::table);
  }
}
