package dev.gatehouse.common.otp;

import static dev.gatehouse.common.otp.TokenRows.COLUMNS;
import static dev.gatehouse.common.otp.TokenRows.PERSON;
import static dev.gatehouse.common.otp.TokenRows.TOKEN;
import static dev.gatehouse.common.otp.TokenRows.time;
import static dev.gatehouse.common.otp.TokenRows.utc;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.group.CommitGroup;
import dev.gatehouse.common.directory.PersonId;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores tokens in tables. Each use is one update whose condition is the rule, so that the database lets exactly one caller succeed; it
 * also sees wrong passcodes that were counted meanwhile, so that parallel guesses gain nothing.
 */
public final class JdbcTokens implements Tokens {

  private static final String NOT_LOCKED =
      " and not exists (select 1 from otp_person p where p.realm = ? and p.person_id = ? and p.wrong_passcodes >= ?)";

  /** Behind what counts of the person. */
  private static final int FIRST_OF_TOKEN = 5;

  private final TokenRows rows;
  private final JdbcClient jdbc;
  private final CommitGroup uses;

  public JdbcTokens(Database database) {
    this.rows = new TokenRows(database);
    this.jdbc = rows.jdbc;
    this.uses = new CommitGroup(database);
  }

  @Override
  public List<Token> of(String realm, PersonId person) {
    return jdbc.sql("select " + COLUMNS + " from otp_token" + PERSON + TokenRows.LISTED + " order by serial")
        .params(realm, person.value())
        .query((row, number) -> TokenRows.token(row))
        .list();
  }

  @Override
  public Owned owned(String realm, PersonId person) {
    List<TokenHolder> holders = new ArrayList<>();
    List<Token> tokens = new ArrayList<>();
    jdbc.sql(
            "select " + TokenRows.OF_HOLDER + ", " + TokenRows.OF_TOKEN
                + " from otp_person p left join otp_token on otp_token.realm = p.realm and otp_token.person_id = p.person_id"
                + TokenRows.LISTED
                + " where p.realm = ? and p.person_id = ? order by serial")
        .params(realm, person.value())
        .query(
            row -> {
              holders.add(TokenRows.holder(row));
              if (row.getString(FIRST_OF_TOKEN) != null) {
                tokens.add(TokenRows.token(row, FIRST_OF_TOKEN));
              }
            });
    return new Owned(holders.isEmpty() ? TokenHolder.NEW : holders.getFirst(), List.copyOf(tokens));
  }

  @Override
  public Optional<Token> find(String realm, String serial) {
    return jdbc.sql("select " + COLUMNS + " from otp_token" + TOKEN)
        .params(realm, serial)
        .query((row, number) -> TokenRows.token(row))
        .optional();
  }

  @Override
  public List<Token> list(String realm, String after, int limit) {
    return jdbc.sql("select " + COLUMNS + " from otp_token where realm = ? and serial > ? order by realm, serial limit ?")
        .params(realm, after, limit)
        .query((row, number) -> TokenRows.token(row))
        .list();
  }

  @Override
  public Set<String> add(String realm, Collection<Token> tokens) {
    while (true) {
      try {
        return addUnlessThere(realm, tokens);
      } catch (DuplicateKeyException e) {
        // Another caller has just added one of them: next time it is found.
      }
    }
  }

  private Set<String> addUnlessThere(String realm, Collection<Token> tokens) {
    Set<String> there = new TreeSet<>();
    rows.transaction.executeWithoutResult(
        status -> {
          for (Token token : tokens) {
            if (find(realm, token.serial()).isPresent()) {
              there.add(token.serial());
            } else if (there.isEmpty()) {
              rows.insert(realm, token);
            }
          }
          if (!there.isEmpty()) {
            status.setRollbackOnly();
          }
        });
    return there;
  }

  @Override
  public boolean remove(String realm, String serial) {
    boolean taken = find(realm, serial).flatMap(Token::person).filter(person -> unassign(realm, serial, person)).isPresent();
    return jdbc.sql("delete from otp_token" + TOKEN).params(realm, serial).update() > 0 || taken;
  }

  @Override
  public boolean assign(String realm, String serial, PersonId person) {
    return rows.unlessGone(
        realm,
        person,
        () ->
            of(realm, person).size() < MOST
                && jdbc.sql("update otp_token set person_id = ?" + TOKEN + " and person_id is null")
                        .params(person.value(), realm, serial)
                        .update()
                    > 0);
  }

  @Override
  public boolean unassign(String realm, String serial, PersonId person) {
    return rows.inTransaction(realm, person, () -> rows.take(realm, person, Optional.of(serial)) > 0);
  }

  @Override
  public boolean change(String realm, String serial, Token.State state) {
    return jdbc.sql("update otp_token set state = ?" + TOKEN).params(state.name(), realm, serial).update() > 0;
  }

  @Override
  public boolean use(String realm, Used used, int most) {
    Use use = used.use();
    return uses.run(
        realm + " " + use.serial(),
        // Whoever runs it for a group may be about somebody else.
        () -> CountedUpdates.about(realm, use.person(), () -> isUsed(realm, used, most)));
  }

  private boolean isUsed(String realm, Used used, int most) {
    Use use = used.use();
    return jdbc.sql(
                "update otp_token set last_used = ?, drift = ?, used_at = ?"
                    + TOKEN
                    + " and person_id = ? and sealed_seed = ? and state = 'ENABLED' and last_used < ?"
                    + NOT_LOCKED)
            .params(
                use.used(), use.drift(), utc(use.at()), realm, use.serial(), use.person().value(), used.token().sealedSeed(),
                use.used(), realm, use.person().value(), most)
            .update()
        > 0;
  }

  @Override
  public Optional<TokenHolder> counts(String realm, Used used, Instant now, int most) {
    String person = used.use().person().value();
    return jdbc.sql(
            "select " + TokenRows.OF_HOLDER + " from otp_person p join otp_token t on t.realm = p.realm"
                + " and t.person_id = p.person_id where t.realm = ? and t.serial = ? and t.person_id = ? and t.state = 'ENABLED'"
                + " and t.sealed_seed = ? and t.last_used < ? and (t.expires_at is null or t.expires_at > ?) and p.wrong_passcodes < ?")
        .params(realm, used.token().serial(), person, used.token().sealedSeed(), used.use().used(), utc(now), most)
        .query((row, number) -> TokenRows.holder(row))
        .optional();
  }

  @Override
  public boolean acceptApp(String realm, Use use) {
    return rows.acceptApp(realm, use.person(), use.serial(), use.used(), use.at());
  }

  @Override
  public void keepUses(String realm, Collection<Used> uses) {
    List<Object[]> values = uses.stream().map(used -> KeptUse.of(realm, used).values()).toList();
    // An app never changes hands: its seed is sealed for its person.
    boolean isOfApps = uses.stream().allMatch(used -> used.token().type().kind() == TokenType.Kind.APP);
    Runnable write = () -> rows.transaction.executeWithoutResult(status -> rows.template.batchUpdate(TokenRows.FOLLOW, values));
    if (isOfApps) {
      CountedUpdates.about(uses.stream().map(used -> CountedUpdates.key(realm, used.use().person())).distinct().toList(), write);
    } else {
      write.run();
    }
  }

  @Override
  public boolean resynchronise(String realm, String serial, long used, int drift) {
    return jdbc.sql("update otp_token set last_used = ?, drift = ?" + TOKEN + " and last_used < ?")
            .params(used, drift, realm, serial, used)
            .update()
        > 0;
  }

  @Override
  public void finishReplacement(String realm, Token token, PersonId person) {
    rows.inTransaction(
        realm,
        person,
        () -> {
          rows.take(realm, person, Optional.of(token.replaces().orElseThrow()));
          rows.delete("otp_emergency", realm, person);
          jdbc.sql("update otp_token set replaces = null" + TOKEN + " and person_id = ?")
              .params(realm, token.serial(), person.value())
              .update();
          return true;
        });
  }

  @Override
  public TokenHolder holder(String realm, PersonId person) {
    return jdbc.sql("select " + TokenRows.OF_HOLDER + " from otp_person" + PERSON)
        .params(realm, person.value())
        .query((row, number) -> TokenRows.holder(row))
        .optional()
        .orElse(TokenHolder.NEW);
  }

  @Override
  public int countWrong(String realm, PersonId person, int most, Optional<Instant> lockedUntil) {
    rows.createHolder(realm, person);
    jdbc.sql(
            "update otp_person set locked_until = case when wrong_passcodes + 1 >= ? then cast(? as timestamp with time zone) end,"
                + " wrong_passcodes = wrong_passcodes + 1"
                + PERSON
                + " and wrong_passcodes < ?")
        .params(most, time(lockedUntil), realm, person.value(), most)
        .update();
    return holder(realm, person).wrong();
  }

  @Override
  public void endLock(String realm, PersonId person, int wrong, Instant now) {
    jdbc.sql("update otp_person set wrong_passcodes = ?, locked_until = null" + PERSON + " and locked_until <= ?")
        .params(wrong, realm, person.value(), utc(now))
        .update();
  }

  @Override
  public void forgive(String realm, PersonId person) {
    jdbc.sql("update otp_person set wrong_passcodes = 0, locked_until = null" + PERSON).params(realm, person.value()).update();
  }

  @Override
  public void unlock(String realm, PersonId person) {
    forgive(realm, person);
    jdbc.sql("update second_factor_state set wrong_codes = 0" + PERSON).params(realm, person.value()).update();
  }

  @Override
  public void keepPins(String realm, PersonId person, Optional<byte[]> sealed, boolean newPin) {
    rows.createHolder(realm, person);
    jdbc.sql("update otp_person set sealed_pins = ?, new_pin = ?" + PERSON)
        .params(new SqlParameterValue(Types.VARBINARY, sealed.orElse(null)), newPin, realm, person.value())
        .update();
  }

  @Override
  public boolean replacePins(String realm, PersonId person, Optional<byte[]> before, byte[] sealed, boolean newPin) {
    rows.createHolder(realm, person);
    String update = "update otp_person set sealed_pins = ?, new_pin = ?" + PERSON;
    return before
            .map(
                former -> jdbc.sql(update + " and sealed_pins = ?").params(sealed, newPin, realm, person.value(), former))
            .orElseGet(() -> jdbc.sql(update + " and sealed_pins is null").params(sealed, newPin, realm, person.value()))
            .update()
        > 0;
  }

  @Override
  public void keepEmergency(String realm, PersonId person, Set<String> digests, boolean fixed, Instant until) {
    rows.createHolder(realm, person);
    rows.inTransaction(
        realm,
        person,
        () -> {
          rows.delete("otp_emergency", realm, person);
          digests.forEach(
              digest ->
                  jdbc.sql("insert into otp_emergency (realm, person_id, digest, fixed, expires_at) values (?, ?, ?, ?, ?)")
                      .params(realm, person.value(), digest, fixed, utc(until))
                      .update());
          return true;
        });
  }

  @Override
  public boolean standsIn(String realm, PersonId person, String digest, Instant now) {
    return jdbc.sql("select count(*) from otp_emergency" + PERSON + " and digest = ? and expires_at > ?")
            .params(realm, person.value(), digest, utc(now))
            .query(Integer.class)
            .single()
        > 0;
  }

  @Override
  public boolean useEmergency(String realm, PersonId person, String digest, Instant now, int most) {
    String rule = PERSON + " and digest = ? and expires_at > ? and fixed = ?" + NOT_LOCKED;
    boolean once =
        jdbc.sql("delete from otp_emergency" + rule)
                .params(realm, person.value(), digest, utc(now), false, realm, person.value(), most)
                .update()
            > 0;
    return once
        || jdbc.sql("select count(*) from otp_emergency" + rule)
                .params(realm, person.value(), digest, utc(now), true, realm, person.value(), most)
                .query(Integer.class)
                .single()
            > 0;
  }

  @Override
  public int emergencyLeft(String realm, PersonId person, Instant now) {
    return jdbc.sql("select count(*) from otp_emergency" + PERSON + " and expires_at > ?")
        .params(realm, person.value(), utc(now))
        .query(Integer.class)
        .single();
  }

  @Override
  public void erase(String realm, PersonId person) {
    rows.inTransaction(
        realm,
        person,
        () -> {
          rows.take(realm, person, Optional.empty());
          rows.forget(realm, person);
          rows.forgetApps(realm, person);
          return true;
        });
  }
}
