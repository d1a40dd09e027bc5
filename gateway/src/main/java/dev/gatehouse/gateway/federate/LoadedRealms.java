package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Realms that were loaded once, for a command that ends soon. */
public record LoadedRealms(List<Realm> realms) implements Realms {

  @Override
  public Optional<Realm> find(String name) {
    return realms.stream().filter(realm -> realm.name().equals(name)).findFirst();
  }

  @Override
  public Optional<Realm> ofAppOrigin(Origin origin) {
    return realms.stream().filter(realm -> realm.sp().filter(sp -> sp.home().equals(origin)).isPresent()).findFirst();
  }

  @Override
  public Collection<Realm> all() {
    return realms;
  }

  @Override
  public void onChange(Consumer<Collection<Realm>> listener) {
    listener.accept(realms);
  }
}
