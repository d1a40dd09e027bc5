package dev.gatehouse.gateway.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.refusal.RefusalTraces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Removes the traces of a person's refused requests; they are found by the id of a request, and so not exported. */
final class RefusalsOfPerson implements AdminResource.PersonData {

  private final RefusalTraces traces;

  RefusalsOfPerson(RefusalTraces traces) {
    this.traces = traces;
  }

  @Override
  public Map<String, List<Map<String, Object>>> ofPerson(String realm, AdminResource.PersonReference person) {
    return Map.of();
  }

  @Override
  public Map<String, Integer> erase(String realm, AdminResource.PersonReference person, String by) {
    try {
      int byId = traces.forget(realm, person.id());
      int byName = person.name().equals(person.id()) ? 0 : traces.forget(realm, person.name());
      return byId + byName == 0 ? Map.of() : Map.of("refusals", byId + byName);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
