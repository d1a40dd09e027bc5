package dev.gatehouse.common.otp;

import static dev.gatehouse.common.otp.TokenRows.COLUMNS;
import static dev.gatehouse.common.otp.TokenRows.PERSON;
import static dev.gatehouse.common.otp.TokenRows.TOKEN;
import static dev.gatehouse.common.otp.TokenRows.text;
import static dev.gatehouse.common.otp.TokenRows.time;
import static dev.gatehouse.common.otp.TokenRows.utc;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The register of a realm's tokens for those who hand them out. A change names the token as it was seen, and does nothing if its person or
 * state is another one by now: whoever decided about it decided about something else.
 */
public final class TokenRegister {

  private static final String AS_SEEN = TOKEN + " and state = ? and person_id is not distinct from cast(? as varchar(255))";

  /** An app counts after a password without a PIN: whoever has nothing else lacks none, and whoever has no token at all does. */
  private static final String NOT_ONLY_APPS =
      "coalesce((select max(case when t.kind = 'APP' then 0 else 1 end) from otp_token t"
          + " where t.realm = otp_person.realm and t.person_id = otp_person.person_id), 1) = 1";

  /** One scan: with 100,000 tokens each takes a good part of a second. */
  private static final String COUNTED =
      "select state, count(*) as tokens, count(person_id) as assigned, "
          + number("expires_at <= ?", "expired") + ", "
          + number("expires_at > ? and expires_at <= ?", "expiring") + ", "
          + number("person_id is not null and used_at is null", "never_used")
          + " from otp_token where realm = ? group by state";

  private static final String PEOPLE_COUNTED =
      "select " + number("wrong_passcodes >= ? and (locked_until is null or locked_until > ?)", "locked") + ", "
          + number("sealed_pins is null and " + NOT_ONLY_APPS, "without_pin")
          + " from otp_person where realm = ?";

  private static String number(String condition, String name) {
    return "count(case when " + condition + " then 1 end) as " + name;
  }

  /** What is looked for; empty parts do not matter. */
  public record Filter(
      Optional<PersonId> person,
      Optional<Token.State> state,
      Optional<Boolean> assigned,
      Optional<Boolean> used,
      Optional<Instant> expiresFrom,
      Optional<Instant> expiresBefore) {

    public static final Filter ALL =
        new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Numbers of tokens.
   *
   * @param byState all of them, by the state in the table, whether expired or not
   * @param neverUsed of those that are assigned
   * @param lockedPeople who have too many wrong passcodes
   */
  public record Counts(
      Map<Token.State, Long> byState, long assigned, long expired, long expiring, long neverUsed, long lockedPeople, long withoutPin) {}

  /**
   * What stands in for a person's tokens.
   *
   * @param left how many that count
   */
  public record Emergency(boolean fixed, int left, Instant until) {}

  private final TokenRows rows;
  private final WaitingUses waiting;

  /** Creates the register where rows have all uses. */
  public TokenRegister(Database database) {
    this(database, WaitingUses.NONE);
  }

  public TokenRegister(Database database, WaitingUses waiting) {
    this.rows = new TokenRows(database);
    this.waiting = waiting;
  }

  /** Returns at most {@code limit} tokens by serial number, from the one after {@code after}. */
  public List<Token> list(String realm, Filter filter, String after, int limit) {
    StringBuilder sql = new StringBuilder("select " + COLUMNS + " from otp_token where realm = ? and serial > ?");
    List<Object> values = new ArrayList<>(List.of(realm, after));
    filter.person().ifPresent(person -> add(sql, values, " and person_id = ?", person.value()));
    filter.state().ifPresent(state -> add(sql, values, " and state = ?", state.name()));
    filter.assigned().ifPresent(assigned -> sql.append(assigned ? " and person_id is not null" : " and person_id is null"));
    if (filter.used().isPresent()) {
      waiting.writeAll();
    }
    filter.used().ifPresent(used -> sql.append(used ? " and used_at is not null" : " and used_at is null"));
    // What expires before a time has an end: without the alternative, an index finds it.
    String orNever = filter.expiresBefore().isPresent() ? "" : "expires_at is null or ";
    filter.expiresFrom().ifPresent(from -> add(sql, values, " and (" + orNever + "expires_at > ?)", utc(from)));
    filter.expiresBefore().ifPresent(before -> add(sql, values, " and expires_at <= ?", utc(before)));
    values.add(limit);
    return rows.jdbc.sql(sql + " order by realm, serial limit ?")
        .params(values)
        .query((row, number) -> waiting.current(realm, TokenRows.token(row)))
        .list();
  }

  private static void add(StringBuilder sql, List<Object> values, String condition, Object value) {
    sql.append(condition);
    values.add(value);
  }

  /** Counts tokens and people, each in one scan; a person is locked from {@code most} wrong passcodes. */
  public Counts counts(String realm, Instant now, Instant soon, int most) {
    waiting.writeAll();
    List<OfState> states =
        rows.jdbc.sql(COUNTED)
            .params(utc(now), utc(now), utc(soon), realm)
            .query(
                (row, number) ->
                    new OfState(
                        Token.State.valueOf(row.getString("state")), row.getLong("tokens"), row.getLong("assigned"), row.getLong("expired"),
                        row.getLong("expiring"), row.getLong("never_used")))
            .list();
    Map<Token.State, Long> byState = new TreeMap<>();
    states.forEach(one -> byState.put(one.state(), one.tokens()));
    return rows.jdbc.sql(PEOPLE_COUNTED)
        .params(most, utc(now), realm)
        .query(
            (row, number) ->
                new Counts(
                    byState, sum(states, OfState::assigned), sum(states, OfState::expired), sum(states, OfState::expiring),
                    sum(states, OfState::neverUsed), row.getLong("locked"), row.getLong("without_pin")))
        .single();
  }

  private record OfState(Token.State state, long tokens, long assigned, long expired, long expiring, long neverUsed) {}

  private static long sum(List<OfState> states, ToLongFunction<OfState> number) {
    return states.stream().mapToLong(number).sum();
  }

  private long count(String from, Object... values) {
    return rows.jdbc.sql("select count(*) from " + from).params(values).query(Long.class).single();
  }

  /** Changes the state of a token that is as seen. */
  public boolean change(String realm, Token seen, Token.State state) {
    return rows.jdbc.sql("update otp_token set state = ?" + AS_SEEN)
            .params(state.name(), realm, seen.serial(), seen.state().name(), text(person(seen)))
            .update()
        > 0;
  }

  /** Changes the end of a token that is as seen. */
  public boolean expire(String realm, Token seen, Optional<Instant> at) {
    return rows.jdbc.sql("update otp_token set expires_at = ?" + AS_SEEN)
            .params(time(at), realm, seen.serial(), seen.state().name(), text(person(seen)))
            .update()
        > 0;
  }

  /** What help desks wrote at a token; empty texts if nothing. */
  public record Text(String label, String note) {}

  public Optional<Text> written(String realm, String serial) {
    return rows.jdbc.sql("select label, note from otp_token" + TOKEN)
        .params(realm, serial)
        .query((row, number) -> new Text(row.getString("label"), row.getString("note")))
        .optional();
  }

  /** Returns the labels of those of these tokens that have one, by serial number. */
  public Map<String, String> labels(String realm, Collection<String> serials) {
    Map<String, String> labels = new HashMap<>();
    if (serials.isEmpty()) {
      return labels;
    }
    // As rows of both: H2 looks such ones up by the key, and reads the realm for a list of serial numbers alone.
    rows.jdbc.sql("select serial, label from otp_token where (realm, serial) in (:tokens) and label <> ''")
        .param("tokens", serials.stream().map(serial -> new Object[] {realm, serial}).toList())
        .query(
            row -> {
              labels.put(row.getString("serial"), row.getString("label"));
            });
    return labels;
  }

  /** What help desks write at a token, with its end. */
  public record Fields(String label, String note, Optional<Instant> expiresAt) {}

  /** Changes what help desks write at a token that is as seen, and whose fields are. */
  public boolean describe(String realm, Token seen, Fields before, Fields after) {
    String same = " and label = ? and note = ? and expires_at is not distinct from cast(? as timestamp with time zone)";
    return rows.jdbc.sql("update otp_token set label = ?, note = ?, expires_at = ?" + AS_SEEN + same)
            .params(
                after.label(), after.note(), time(after.expiresAt()), realm, seen.serial(), seen.state().name(), text(person(seen)),
                before.label(), before.note(), time(before.expiresAt()))
            .update()
        > 0;
  }

  /** Removes a token that belongs to nobody. */
  public boolean remove(String realm, Token seen) {
    return rows.jdbc.sql("delete from otp_token" + TOKEN + " and person_id is null").params(realm, seen.serial()).update() > 0;
  }

  private static Optional<String> person(Token token) {
    return token.person().map(PersonId::value);
  }

  /**
   * Assigns a token that belongs to nobody to the person of the one that it takes the place of. Both count until a code of the new one has
   * counted ({@link Tokens#finishReplacement}). Returns false if either is another one by now, or the person has {@link Tokens#MOST}.
   */
  public boolean replace(String realm, Token seen, String by) {
    PersonId person = seen.person().orElseThrow();
    return rows.unlessGone(
        realm,
        person,
        () ->
            count("otp_token" + PERSON, realm, person.value()) < Tokens.MOST
                && count("otp_token" + PERSON + " and serial = ?", realm, person.value(), seen.serial()) > 0
                && count("otp_token" + PERSON + " and replaces = ?", realm, person.value(), seen.serial()) == 0
                && hand(realm, seen, by, person));
  }

  /** Returns whether the last synchronisation did not find the person among those who may have tokens. */
  public boolean isGone(String realm, PersonId person) {
    return count("otp_known_person" + PERSON + " and status = 'GONE'", realm, person.value()) > 0;
  }

  private boolean hand(String realm, Token seen, String by, PersonId person) {
    String free = " and person_id is null and state = 'ENABLED'";
    return rows.jdbc.sql("update otp_token set person_id = ?, replaces = ?" + TOKEN + free)
            .params(person.value(), seen.serial(), realm, by)
            .update()
        > 0;
  }

  /** Returns what stands in for the person's tokens now. */
  public Optional<Emergency> emergency(String realm, PersonId person, Instant now) {
    return rows.jdbc.sql(
            "select fixed, count(*) as codes, max(expires_at) as expires_at from otp_emergency"
                + PERSON
                + " and expires_at > ? group by fixed")
        .params(realm, person.value(), utc(now))
        .query(
            (row, number) ->
                new Emergency(row.getBoolean("fixed"), row.getInt("codes"), TokenRows.instant(row, "expires_at").orElseThrow()))
        .list()
        .stream()
        .findFirst();
  }

  /** Ends what stands in for the person's tokens; returns false if there is nothing. */
  public boolean endEmergency(String realm, PersonId person) {
    return rows.jdbc.sql("delete from otp_emergency" + PERSON).params(realm, person.value()).update() > 0;
  }
}
