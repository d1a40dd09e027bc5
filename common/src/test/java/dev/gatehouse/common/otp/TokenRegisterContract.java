package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenRegister.Counts;
import dev.gatehouse.common.otp.TokenRegister.Emergency;
import dev.gatehouse.common.otp.TokenRegister.Filter;
import dev.gatehouse.common.store.Race;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@link TokenRegister} does, with every database. */
public abstract class TokenRegisterContract {

  private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final PersonId CAROL = new PersonId("carol-1");
  private static final PersonId DAVE = new PersonId("dave-1");

  private final String realm = "r-" + UUID.randomUUID();

  protected abstract Database database();

  private Tokens tokens() {
    return new JdbcTokens(database());
  }

  private TokenRegister register() {
    return new TokenRegister(database());
  }

  private Token add(String serial, Optional<Instant> end) {
    assertThat(tokens().add(realm, List.of(Token.created(serial, TokenType.USUAL, new byte[] {1}, -1, end)))).isEmpty();
    return find(serial);
  }

  private Token find(String serial) {
    return tokens().find(realm, serial).orElseThrow();
  }

  private Token give(String serial, PersonId person) {
    add(serial, Optional.empty());
    assertThat(tokens().assign(realm, serial, person)).isTrue();
    return find(serial);
  }

  private List<String> listed(Filter filter) {
    return register().list(realm, filter, "", 10).stream().map(Token::serial).toList();
  }

  @Test
  void findsTokensByWhatTheyAre() {
    give("a", CAROL);
    add("b", Optional.of(NOW));
    add("c", Optional.of(LATER));
    register().change(realm, find("c"), Token.State.LOST);
    Optional<Instant> none = Optional.empty();
    assertThat(listed(Filter.ALL)).containsExactly("a", "b", "c");
    assertThat(listed(new Filter(Optional.of(CAROL), Optional.empty(), Optional.empty(), Optional.of(false), none, none)))
        .containsExactly("a");
    assertThat(listed(new Filter(Optional.empty(), Optional.of(Token.State.LOST), Optional.of(false), Optional.empty(), none, none)))
        .containsExactly("c");
    assertThat(listed(new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(NOW), none)))
        .containsExactly("a", "c");
    assertThat(listed(new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), none, Optional.of(NOW))))
        .containsExactly("b");
    assertThat(listed(new Filter(Optional.empty(), Optional.empty(), Optional.of(true), Optional.of(true), none, none))).isEmpty();
    Counts counts = register().counts(realm, NOW, LATER, 10);
    assertThat(counts.byState()).containsEntry(Token.State.ENABLED, 2L).containsEntry(Token.State.LOST, 1L);
    assertThat(counts.assigned()).isEqualTo(1);
    assertThat(counts.expired()).isEqualTo(1);
    assertThat(counts.expiring()).isEqualTo(1);
    assertThat(counts.neverUsed()).isEqualTo(1);
    assertThat(counts.withoutPin()).isEqualTo(1);
  }

  @Test
  void changesATokenOnlyAsItWasSeen() {
    Token free = add("a", Optional.empty());
    assertThat(tokens().assign(realm, "a", CAROL)).isTrue();
    assertThat(register().change(realm, free, Token.State.LOST)).isFalse();
    assertThat(register().expire(realm, free, Optional.of(NOW))).isFalse();
    assertThat(register().remove(realm, free)).isFalse();
    Token hers = find("a");
    assertThat(register().expire(realm, hers, Optional.of(NOW))).isTrue();
    assertThat(register().change(realm, hers, Token.State.LOST)).isTrue();
    assertThat(register().change(realm, hers, Token.State.ENABLED)).as("it is lost by now").isFalse();
    assertThat(find("a").expiresAt()).contains(NOW);
    assertThat(tokens().unassign(realm, "a", DAVE)).isFalse();
    assertThat(tokens().unassign(realm, "a", CAROL)).isTrue();
    assertThat(find("a").state()).isEqualTo(Token.State.LOST);
    assertThat(register().remove(realm, find("a"))).isTrue();
  }

  @Test
  void ofParallelReplacementsOneIsMadeAndItsFirstCodeTakesTheFormerAway() throws Exception {
    Token old = give("a", CAROL);
    for (int i = 0; i < 8; i++) {
      add("n" + i, Optional.empty());
    }
    assertThat(Race.of(8, i -> () -> register().replace(realm, old, "n" + i))).filteredOn(done -> done).hasSize(1);
    Token replacement = tokens().of(realm, CAROL).getLast();
    assertThat(replacement.replaces()).contains("a");
    tokens().keepEmergency(realm, CAROL, Set.of("x"), true, LATER);
    tokens().finishReplacement(realm, replacement, CAROL);
    tokens().finishReplacement(realm, replacement, CAROL);
    assertThat(tokens().of(realm, CAROL)).extracting(Token::serial).containsExactly(replacement.serial());
    assertThat(find("a").state()).isEqualTo(Token.State.DISABLED);
    assertThat(find(replacement.serial()).replaces()).isEmpty();
    assertThat(register().emergency(realm, CAROL, NOW)).isEmpty();
  }

  @Test
  void tellsAndEndsWhatStandsIn() {
    give("a", CAROL);
    tokens().keepEmergency(realm, CAROL, Set.of("x", "y"), false, LATER);
    assertThat(register().emergency(realm, CAROL, NOW)).contains(new Emergency(false, 2, LATER));
    assertThat(register().emergency(realm, CAROL, LATER)).isEmpty();
    assertThat(register().endEmergency(realm, CAROL)).isTrue();
    assertThat(register().endEmergency(realm, CAROL)).isFalse();
  }

  @Test
  void whatHelpDesksWriteIsAtTheTokenAsItWasSeen() {
    Token seen = add("labelled", Optional.empty());
    add("plain", Optional.empty());
    assertThat(register().written(realm, "labelled")).contains(new TokenRegister.Text("", ""));
    TokenRegister.Fields none = new TokenRegister.Fields("", "", Optional.empty());
    TokenRegister.Fields some = new TokenRegister.Fields("drawer 7", "spare", Optional.of(LATER));
    assertThat(register().describe(realm, seen, none, some)).isTrue();
    // Somebody else has changed the end meanwhile: what was decided about it counts no more.
    assertThat(register().describe(realm, seen, none, new TokenRegister.Fields("mine", "", Optional.empty()))).isFalse();
    assertThat(register().describe(realm, seen, some, some)).isTrue();
    assertThat(register().written(realm, "labelled")).contains(new TokenRegister.Text("drawer 7", "spare"));
    assertThat(find("labelled").expiresAt()).contains(LATER);
    assertThat(register().labels(realm, List.of("labelled", "plain"))).containsExactly(java.util.Map.entry("labelled", "drawer 7"));
    assertThat(register().labels(realm, List.of("plain"))).isEmpty();
    assertThat(register().labels(realm, List.of())).isEmpty();
    assertThat(register().labels("another", List.of("labelled"))).isEmpty();
    tokens().assign(realm, "labelled", CAROL);
    assertThat(register().describe(realm, seen, some, none)).isFalse();
    assertThat(register().written(realm, "none")).isEmpty();
    assertThat(register().written("another", "labelled")).isEmpty();
  }
}
