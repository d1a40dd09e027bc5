package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenRegister.Counts;
import dev.gatehouse.common.otp.TokenRegister.Emergency;
import dev.gatehouse.common.otp.TokenRegister.Filter;
import dev.gatehouse.common.store.Race;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

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

  private void person(String id, int wrong, Optional<Instant> until, boolean pin) {
    JdbcClient.create(database().dataSource())
        .sql("insert into otp_person (realm, person_id, sealed_pins, new_pin, wrong_passcodes, locked_until) values (?, ?, ?, false, ?, ?)")
        .params(realm, id, new SqlParameterValue(Types.VARBINARY, pin ? new byte[] {1} : null), wrong, TokenRows.time(until))
        .update();
  }

  private void app(String serial, String person) {
    tokens().add(realm, List.of(Token.created(serial, TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
    JdbcClient.create(database().dataSource())
        .sql("update otp_token set kind = 'APP', person_id = ? where realm = ? and serial = ?")
        .params(person, realm, serial)
        .update();
  }

  @Test
  void countsEachTokenAndPersonOnce() {
    assertThat(register().counts(realm, NOW, LATER, 10)).as("none").isEqualTo(new Counts(new TreeMap<>(), 0, 0, 0, 0, 0, 0));
    give("a", CAROL);
    add("b", Optional.of(NOW));
    add("c", Optional.of(NOW.plusSeconds(1)));
    add("d", Optional.of(LATER.plusSeconds(1)));
    register().change(realm, add("e", Optional.of(LATER)), Token.State.LOST);
    register().change(realm, add("f", Optional.of(NOW.minusSeconds(1))), Token.State.DISABLED);
    app("app-1", "only-app");
    app("app-2", "app-and-token");
    give("g", new PersonId("app-and-token"));
    person("only-app", 0, Optional.empty(), false);
    person("no-token", 10, Optional.empty(), false);
    person("pin", 12, Optional.of(LATER), true);
    person("was-locked", 12, Optional.of(NOW), true);
    person("few-wrong", 9, Optional.of(LATER), true);
    Counts counts = register().counts(realm, NOW, LATER, 10);
    assertThat(counts.byState())
        .isEqualTo(Map.of(Token.State.ENABLED, 7L, Token.State.LOST, 1L, Token.State.DISABLED, 1L));
    assertThat(counts.assigned()).isEqualTo(4);
    assertThat(counts.expired()).as("b and f").isEqualTo(2);
    assertThat(counts.expiring()).as("c and e").isEqualTo(2);
    assertThat(counts.neverUsed()).isEqualTo(4);
    assertThat(counts.lockedPeople()).as("no-token and pin").isEqualTo(2);
    assertThat(counts.withoutPin()).as("CAROL, app-and-token and no-token").isEqualTo(3);
    assertThat(register().counts("another", NOW, LATER, 10).lockedPeople()).isZero();
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
    assertThat(register().labels(realm, List.of("labelled", "plain"))).containsExactly(Map.entry("labelled", "drawer 7"));
    assertThat(register().labels(realm, List.of("plain"))).isEmpty();
    assertThat(register().labels(realm, List.of())).isEmpty();
    assertThat(register().labels("another", List.of("labelled"))).isEmpty();
    tokens().assign(realm, "labelled", CAROL);
    assertThat(register().describe(realm, seen, some, none)).isFalse();
    assertThat(register().written(realm, "none")).isEmpty();
    assertThat(register().written("another", "labelled")).isEmpty();
  }
}
