package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.RadiusConfig;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Reply;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Roles of people are read where the client or one of its replies looks at them. */
class AcceptReplyTest {

  private static final Reply TO_ALL = new Reply(Set.of(), Set.of(), Attributes.NONE);

  private static boolean looksAtRoles(Set<String> roles, Reply... replies) {
    Realm demo = RadiusWorld.realm();
    Client vpn = demo.parties().radius().orElseThrow().clients().getFirst();
    Client client =
        new Client(vpn.name(), vpn.addresses(), vpn.secret(), vpn.certificate(), roles, vpn.visitors(), vpn.language(), vpn.showsPins());
    Realm realm =
        new Realm(
            demo.name(), demo.revision(), demo.brand(), demo.keys(), demo.idp(), demo.sp(), demo.directory(),
            new Realm.Parties(List.of(), List.of(), List.of(), Optional.of(new RadiusConfig(List.of(client), List.of(replies)))),
            demo.gateway(), demo.federation());
    return AcceptReply.looksAtRoles(new KnownClient(realm, client, new SharedSecret("secret of the vpn")));
  }

  @Test
  void rolesMatterToClientsThatNameThemAndToTheirReplies() {
    assertThat(looksAtRoles(Set.of())).isFalse();
    assertThat(looksAtRoles(Set.of(), TO_ALL)).isFalse();
    assertThat(looksAtRoles(Set.of("employee"))).isTrue();
    assertThat(looksAtRoles(Set.of(), TO_ALL, new Reply(Set.of("manager"), Set.of("vpn"), Attributes.NONE))).isTrue();
    assertThat(looksAtRoles(Set.of(), TO_ALL, new Reply(Set.of("manager"), Set.of(), Attributes.NONE))).isTrue();
    assertThat(looksAtRoles(Set.of(), TO_ALL, new Reply(Set.of("manager"), Set.of("wifi"), Attributes.NONE)))
        .as("another client's")
        .isFalse();
  }
}
