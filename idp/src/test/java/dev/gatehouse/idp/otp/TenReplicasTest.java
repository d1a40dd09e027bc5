package dev.gatehouse.idp.otp;

import static dev.gatehouse.idp.otp.OtpServers.CAROL;
import static dev.gatehouse.idp.otp.OtpServers.REALM;
import static dev.gatehouse.idp.otp.OtpServers.assign;
import static dev.gatehouse.idp.otp.OtpServers.await;
import static dev.gatehouse.idp.otp.OtpServers.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.OtpServerConfig.Role;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.replica.ServerState;
import dev.gatehouse.common.store.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A realm of the largest size that a configuration may have: one primary and ten replicas, each with a PostgreSQL of its own. */
class TenReplicasTest {

  private static final int REPLICAS = 10;

  @Test
  @Tag("long")
  void aCodeCountsOnceAtAllOfThemAndNineFollowANominatedOne() throws Exception {
    String[] names = Stream.concat(Stream.of("berlin"), IntStream.rangeClosed(1, REPLICAS).mapToObj(i -> "replica" + i)).toArray(String[]::new);
    try (OtpServers world = new OtpServers(names)) {
      OtpServers.Server berlin = world.start(Role.PRIMARY, "berlin", Duration.ZERO);
      assign(berlin.tokens, "t", CAROL);
      List<OtpServers.Server> replicas = new ArrayList<>();
      for (String name : List.of(names).subList(1, names.length)) {
        world.push(name, false);
        replicas.add(world.start(Role.REPLICA, name, Duration.ZERO));
      }
      await(() -> replicas.stream().allMatch(replica -> replica.server.state() == ServerState.REPLICA));
      List<OtpServers.Server> all = Stream.concat(Stream.of(berlin), replicas.stream()).toList();

      aCodeCountsOnce(all);
      berlin.tokens.change(REALM, "t", Token.State.DISABLED);
      await(() -> all.stream().allMatch(server -> token(server).state() == Token.State.DISABLED));
      berlin.tokens.change(REALM, "t", Token.State.ENABLED);
      await(() -> all.stream().allMatch(server -> token(server).state() == Token.State.ENABLED));
      for (OtpServers.Server server : all) {
        server.tokens.countWrong(REALM, CAROL, names.length + 1, Optional.empty());
      }
      assertThat(replicas).allSatisfy(replica -> assertThat(replica.tokens.holder(REALM, CAROL).wrong()).isEqualTo(names.length));
      assertThat(world.status(Role.PRIMARY, "berlin")).filteredOn(line -> line.startsWith("replica replica")).hasSize(REPLICAS)
          .allMatch(line -> line.contains(": connected, behind "));

      OtpServers.Server next = replicas.getFirst();
      List<OtpServers.Server> followers = replicas.subList(1, REPLICAS);
      assertThat(world.nominate("replica1")).last().asString().startsWith("replica1 is the primary of one-time passwords at epoch 2");
      await(() -> next.server.isPrimary() && berlin.server.state() == ServerState.REPLACED);
      await(() -> followers.stream().allMatch(server -> server.server.state() == ServerState.REPLICA && server.server.primary().epoch() == 2));
      next.tokens.change(REALM, "t", Token.State.DISABLED);
      await(() -> followers.stream().allMatch(server -> token(server).state() == Token.State.DISABLED));
    }
  }

  private static void aCodeCountsOnce(List<OtpServers.Server> all) throws Exception {
    long step = step();
    List<Boolean> won = Race.of(4 * all.size(), i -> () -> all.get(i % all.size()).use("t", CAROL, step));
    assertThat(won).filteredOn(one -> one).hasSize(1);
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).use("t", CAROL, step + 1 + i)).as("a use at server " + i).isTrue();
      assertThat(all.get((i + 1) % all.size()).use("t", CAROL, step + 1 + i)).as("the same at the next one").isFalse();
    }
    long last = step + all.size();
    await(() -> all.stream().allMatch(server -> token(server).lastUsed() == last));
  }

  private static Token token(OtpServers.Server server) {
    return server.tokens.find(REALM, "t").orElseThrow();
  }
}
