package dev.gatehouse.idp.account;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The part of the account page that gives a person everything that is stored about them, as a JSON file. */
public final class DataEndpoint implements Endpoint {

  static final String PATH = "account/data";

  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final IdpSessions sessions;
  private final PersonRecords records;
  private final Pages pages;
  private final Refusals refusals;

  public DataEndpoint(IdpSessions sessions, PersonRecords records, Pages pages, Refusals refusals) {
    this.sessions = sessions;
    this.records = records;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return AuthenticatedPerson.onPage(
        sessions, refusals, request, PATH, me -> show(request, me), me -> file(request, me));
  }

  private EdgeReply show(RealmRequest request, AuthenticatedPerson me) {
    Map<String, Object> model = new HashMap<>();
    model.put("action", request.here(PATH));
    model.put("account", request.here("account"));
    model.put("csrf", CsrfToken.of(me.token(), PATH));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "data", model));
  }

  private EdgeReply file(RealmRequest request, AuthenticatedPerson me) {
    Person person = me.session().snapshot().details();
    PersonReference reference = new PersonReference(me.session().person().value(), person.name());
    byte[] json = JSON.writeValueAsBytes(records.export(request.context(), request.realm(), reference, "person"));
    return EdgeReply.of(200, "application/json", json)
        .with("Content-Disposition", "attachment; filename=\"my-data.json\"")
        .with("Cache-Control", "no-store")
        .with("X-Content-Type-Options", "nosniff");
  }
}
