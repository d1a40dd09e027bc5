package dev.gatehouse.gateway.node;

import dev.gatehouse.common.admin.PersonRecords.PersonIn;
import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.EventSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Finds the events about a person by id and by login name; none if the node has no index of its audit log. */
final class PersonEvents implements Function<PersonIn, List<Map<String, Object>>> {

  private static final int MOST = 10_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final AuditSearch search;
  private final InstantSource time;

  PersonEvents(AuditSearch search, InstantSource time) {
    this.search = search;
    this.time = time;
  }

  @Override
  public List<Map<String, Object>> apply(PersonIn person) {
    return search.index().map(index -> events(index, person)).orElse(List.of());
  }

  private List<Map<String, Object>> events(EventSearch index, PersonIn person) {
    // A line begins with its time, so that lines sort by it; an event that has both the id and the name is found twice.
    Set<String> lines = new TreeSet<>(Comparator.reverseOrder());
    Stream.of(person.person().id(), person.person().name()).distinct().forEach(name -> add(lines, index, person.realm(), name));
    return lines.stream()
        .limit(MOST)
        .map(line -> JSON.readValue(line, new TypeReference<Map<String, Object>>() {}))
        .toList();
  }

  private void add(Set<String> lines, EventSearch index, String realm, String name) {
    AuditQuery query =
        new AuditQuery(
            Map.of(AuditTerm.REALM, realm, AuditTerm.PERSON, name), Instant.EPOCH, time.instant().plusSeconds(1), Optional.empty(),
            MOST);
    try {
      AuditPage page = index.search(query);
      page.events().forEach(line -> lines.add(new String(line, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException("The audit log cannot be searched", e);
    }
  }
}
