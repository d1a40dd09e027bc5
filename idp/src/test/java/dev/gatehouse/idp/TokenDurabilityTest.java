package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.idp.TokenWorld.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers remain valid after a restart, and after kill -9: a revoked token never works again. */
final class TokenDurabilityTest {

  /** The number of lines after which the program is killed. */
  private static final int ENOUGH = 30;

  @TempDir Path data;

  /** A node with the embedded stores, for the duration of {@code use}. */
  private void node(Consumer<TokenWorld> use) {
    TestTime time = new TestTime(SamlFixtures.NOW);
    try (RocksStores stores = new RocksStores(data, time)) {
      use.accept(world(time, stores));
    }
  }

  private TokenWorld world(TestTime time, RocksStores stores) {
    return new TokenWorld(
        TestRealms.demo(), time, stores, new SealingKey(data, new SecureRandom()), TestClient.web("jwt"),
        TestClient.web("opaque").opaque());
  }

  @Test
  void whatWasIssuedCountsAfterARestart() {
    List<Answer> issued = new ArrayList<>();
    List<String> codes = new ArrayList<>();
    node(
        before -> {
          issued.add(before.tokens("jwt", "read"));
          issued.add(before.tokens("opaque", "read"));
          codes.add(before.code(before.agreed("opaque", "read")));
        });
    node(
        after -> {
          assertThat(after.isActive("jwt", issued.get(0).text("access_token"))).isTrue();
          assertThat(after.isActive("opaque", issued.get(1).text("access_token"))).isTrue();
          assertThat(after.refresh("jwt", issued.get(0).text("refresh_token")).status()).isEqualTo(200);
          assertThat(after.redeem("opaque", codes.getFirst()).status()).isEqualTo(200);
        });
  }

  @Test
  void whatWasRevokedStaysRevoked() {
    List<Answer> issued = new ArrayList<>();
    node(
        before -> {
          for (String client : List.of("jwt", "opaque")) {
            Answer tokens = before.tokens(client, "read");
            before.post("oauth/revoke", client, TokenWorld.form("token", tokens.text("access_token")));
            issued.add(tokens);
            Answer family = before.tokens(client, "read");
            before.post("oauth/revoke", client, TokenWorld.form("token", family.text("refresh_token")));
            issued.add(family);
          }
        });
    node(
        after ->
            assertThat(issued)
                .allSatisfy(
                    tokens -> {
                      assertThat(after.isActive("jwt", tokens.text("access_token"))).isFalse();
                      assertThat(after.isActive("opaque", tokens.text("access_token"))).isFalse();
                    }));
    node(
        after -> {
          assertThat(after.refresh("jwt", issued.get(1).text("refresh_token")).error())
              .isEqualTo("invalid_grant: The authorization has ended");
          // Only its access token was revoked.
          assertThat(after.refresh("jwt", issued.get(0).text("refresh_token")).status()).isEqualTo(200);
        });
  }

  @Test
  void aReplayIsSeenAndItsFamilyStaysEnded() {
    List<String> codes = new ArrayList<>();
    List<Answer> issued = new ArrayList<>();
    node(
        before -> {
          codes.add(before.code(before.agreed("opaque", "read")));
          issued.add(before.redeem("opaque", codes.getFirst()));
          Answer first = before.tokens("opaque", "read");
          issued.add(first);
          issued.add(before.refresh("opaque", first.text("refresh_token")));
        });
    node(
        after -> {
          assertThat(after.redeem("opaque", codes.getFirst()).error())
              .isEqualTo("invalid_grant: The code was used before: what it gave is revoked");
          assertThat(after.refresh("opaque", issued.get(1).text("refresh_token")).error())
              .isEqualTo("invalid_grant: The refresh token was used before: the authorization is revoked");
        });
    node(
        after -> {
          assertThat(after.isActive("opaque", issued.get(0).text("access_token"))).isFalse();
          assertThat(after.refresh("opaque", issued.get(0).text("refresh_token")).error())
              .isEqualTo("invalid_grant: The authorization has ended");
          assertThat(after.refresh("opaque", issued.get(2).text("refresh_token")).error())
              .isEqualTo("invalid_grant: The authorization has ended");
        });
  }

  /** {@link RefreshingNode} reports its actions; it is killed while it runs. */
  @Test
  @Timeout(120)
  void whatWasAnsweredBeforeAKillHolds() throws Exception {
    List<String[]> lines = linesUntilKilled();
    assertThat(lines).hasSizeGreaterThanOrEqualTo(ENOUGH);
    node(
        after -> {
          for (String[] line : lines) {
            switch (line[0]) {
              case "revoked" -> assertThat(after.isActive("opaque", line[1])).as("revoked").isFalse();
              case "ended" ->
                  assertThat(after.refresh("opaque", line[1]).error())
                      .isEqualTo("invalid_grant: The authorization has ended");
              case "current" -> assertThat(after.refresh("opaque", line[1]).status()).isEqualTo(200);
              default -> throw new AssertionError(line[0]);
            }
          }
        });
  }

  private List<String[]> linesUntilKilled() throws Exception {
    Process process = JavaProcess.of(RefreshingNode.class, data.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String[]> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] words = line.split(" ");
        // The last line may be truncated: each line ends with a word that marks it as complete.
        if (words.length == 3 && words[2].equals(".")) {
          lines.add(words);
        }
        if (lines.size() == ENOUGH) {
          // By the handle: the process object itself would also close the stream that we read.
          process.toHandle().destroyForcibly();
        }
      }
    } catch (IOException e) {
      // The pipe ended with the process.
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 9);
    return lines;
  }

  /** The program that is killed. */
  static final class RefreshingNode {

    private RefreshingNode() {}

    public static void main(String[] args) {
      TokenDurabilityTest test = new TokenDurabilityTest();
      test.data = Path.of(args[0]);
      test.node(RefreshingNode::work);
    }

    private static void work(TokenWorld world) {
      while (true) {
        Answer tokens = world.tokens("opaque", "read");
        Answer next = world.refresh("opaque", tokens.text("refresh_token"));
        world.post("oauth/revoke", "opaque", TokenWorld.form("token", next.text("access_token")));
        System.out.println("revoked " + next.text("access_token") + " .");
        world.refresh("opaque", tokens.text("refresh_token"));
        System.out.println("ended " + next.text("refresh_token") + " .");
        System.out.println("current " + world.tokens("opaque", "read").text("refresh_token") + " .");
      }
    }
  }
}
