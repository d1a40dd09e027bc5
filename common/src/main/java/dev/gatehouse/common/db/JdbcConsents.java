package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores consents in the tables {@code consent} and {@code consent_name}: a row for each name, so that one name cannot be read as
 * several, whatever its characters.
 */
public final class JdbcConsents implements Consents {

  private static final String SELECT =
      "select c.partner, c.given_at, n.name from consent c left join consent_name n"
          + " on n.realm = c.realm and n.partner = c.partner and n.person_id = c.person_id"
          + " where c.realm = ? and c.person_id = ?";

  private static final String ONE = " where realm = ? and partner = ? and person_id = ?";

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final InstantSource time;

  public JdbcConsents(Database database, InstantSource time) {
    this.jdbc = new JdbcTemplate(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
    this.time = time;
  }

  @Override
  public Optional<Consent> find(String realm, String partner, PersonId person) {
    return select(SELECT + " and c.partner = ?", realm, person.value(), partner).stream().findFirst();
  }

  @Override
  public List<Consent> ofPerson(String realm, PersonId person) {
    return select(SELECT + " order by c.partner", realm, person.value());
  }

  @Override
  public void give(String realm, String partner, PersonId person, Set<String> attributes) {
    transaction.executeWithoutResult(status -> write(realm, partner, person, new TreeSet<>(attributes)));
  }

  @Override
  public boolean revoke(String realm, String partner, PersonId person) {
    return jdbc.update("delete from consent" + ONE, realm, partner, person.value()) > 0;
  }

  private void write(String realm, String partner, PersonId person, Set<String> names) {
    OffsetDateTime now = time.instant().atOffset(ZoneOffset.UTC);
    // The update locks the row until the commit: a revocation in another tab happens before or after, not in between.
    while (jdbc.update("update consent set given_at = ?" + ONE, now, realm, partner, person.value()) == 0) {
      jdbc.update(
          "insert into consent (realm, partner, person_id, given_at) values (?, ?, ?, ?) on conflict do nothing",
          realm, partner, person.value(), now);
    }
    jdbc.batchUpdate(
        "insert into consent_name (realm, partner, person_id, name) values (?, ?, ?, ?) on conflict do nothing",
        names.stream().map(name -> new Object[] {realm, partner, person.value(), name}).toList());
  }

  private List<Consent> select(String sql, Object... parameters) {
    Map<String, Instant> since = new LinkedHashMap<>();
    Map<String, Set<String>> names = new LinkedHashMap<>();
    RowCallbackHandler rows =
        row -> {
          String partner = row.getString("partner");
          since.put(partner, row.getObject("given_at", OffsetDateTime.class).toInstant());
          Set<String> ofPartner = names.computeIfAbsent(partner, p -> new LinkedHashSet<>());
          Optional.ofNullable(row.getString("name")).ifPresent(ofPartner::add);
        };
    jdbc.query(sql, rows, parameters);
    return since.entrySet().stream()
        .map(entry -> new Consent(entry.getKey(), names.getOrDefault(entry.getKey(), Set.of()), entry.getValue()))
        .toList();
  }
}
