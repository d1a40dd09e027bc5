package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Reply;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import java.util.Optional;
import java.util.stream.Stream;

/** What a client is told about an accepted person, by role. */
final class AcceptReply {

  /** Tunnel-Type of a VLAN, and Tunnel-Medium-Type of IEEE 802 (RFC 3580, section 3.31). */
  private static final int VLAN = 13;

  private static final int IEEE_802 = 6;

  private AcceptReply() {}

  /** Returns whether the person may come in by the client at all. */
  static boolean mayUse(KnownClient client, Person person) {
    return GroupName.permits(client.config().roles(), person.roles());
  }

  /** Returns the attributes of the first reply that fits; nothing if there are replies and none fits. */
  static Optional<Attributes> of(KnownClient client, Person person) {
    if (client.realm().parties().radius().orElseThrow().replies().isEmpty()) {
      return Optional.of(Attributes.NONE);
    }
    return replies(client).filter(reply -> GroupName.permits(reply.roles(), person.roles())).map(Reply::attributes).findFirst();
  }

  /** Returns whether roles of people matter to the client, or to what it is told. */
  static boolean looksAtRoles(KnownClient client) {
    return !client.config().roles().isEmpty() || replies(client).anyMatch(reply -> !reply.roles().isEmpty());
  }

  private static Stream<Reply> replies(KnownClient client) {
    return client.realm().parties().radius().orElseThrow().replies().stream()
        .filter(reply -> reply.clients().isEmpty() || reply.clients().contains(client.name()));
  }

  static void write(Attributes attributes, PacketWriter to) {
    attributes.filterId().ifPresent(filter -> to.add(AttributeType.FILTER_ID, filter));
    attributes.classValue().ifPresent(value -> to.add(AttributeType.CLASS, value));
    attributes.sessionTimeout().ifPresent(end -> to.add(AttributeType.SESSION_TIMEOUT, (int) end.toSeconds()));
    attributes
        .vlan()
        .ifPresent(
            vlan ->
                to.addUntagged(AttributeType.TUNNEL_TYPE, VLAN)
                    .addUntagged(AttributeType.TUNNEL_MEDIUM_TYPE, IEEE_802)
                    .add(AttributeType.TUNNEL_PRIVATE_GROUP_ID, vlan));
  }
}
