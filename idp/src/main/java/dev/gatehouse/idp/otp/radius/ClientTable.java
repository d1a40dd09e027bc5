package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The clients of one revision of a realm, found by address or by the name in their certificates. */
final class ClientTable {

  /** The secret of packets within TLS, where it protects nothing (RFC 6614, section 2.3). */
  static final SharedSecret RADSEC = new SharedSecret("radsec");

  private record Block(Cidr addresses, KnownClient client) {}

  private final Map<InetAddress, KnownClient> single = new HashMap<>();
  private final List<Block> blocks = new ArrayList<>();
  private final Map<String, KnownClient> byCertificate = new HashMap<>();

  ClientTable(Realm realm) {
    for (Client client : realm.parties().radius().map(radius -> radius.clients()).orElseGet(List::of)) {
      client.secret().ifPresent(secret -> add(new KnownClient(realm, client, new SharedSecret(secret.value()))));
      client.certificate().ifPresent(name -> byCertificate.put(name, new KnownClient(realm, client, RADSEC)));
    }
    blocks.sort(Comparator.comparingInt((Block block) -> block.addresses().prefixLength()).reversed());
  }

  private void add(KnownClient client) {
    for (Cidr block : client.config().addresses()) {
      if (block.prefixLength() == block.network().getAddress().length * 8) {
        single.put(block.network(), client);
      } else {
        blocks.add(new Block(block, client));
      }
    }
  }

  /** Returns the client with the longest block that contains the address. */
  Optional<KnownClient> at(InetAddress address) {
    KnownClient exact = single.get(address);
    if (exact != null) {
      return Optional.of(exact);
    }
    for (Block block : blocks) {
      if (block.addresses().contains(address)) {
        return Optional.of(block.client());
      }
    }
    return Optional.empty();
  }

  /** Returns the client with one of these names, in lower case. */
  Optional<KnownClient> named(Collection<String> names) {
    return names.stream().flatMap(name -> Optional.ofNullable(byCertificate.get(name)).stream()).findFirst();
  }
}
