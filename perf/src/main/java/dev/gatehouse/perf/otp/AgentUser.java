package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;

/** An agent that asks about one person after the other by REST, over a connection that is kept. */
final class AgentUser implements ClosedLoad.User {

  /** How agents prove who they are. */
  enum Proof {
    CERTIFICATE,
    ASSERTION
  }

  private static final String PATH = "/realms/" + OtpPeople.REALM + "/otp/v1/authentications";

  private final Client client;
  private final AgentKey key;
  private final Proof proof;
  private final PeopleInTurn people;
  private final String suffix;

  /** @param suffix of names, empty for people of the realm itself */
  AgentUser(URI server, AgentKey key, Proof proof, PeopleInTurn people, String suffix) throws IOException {
    this.client = proof == Proof.CERTIFICATE ? Client.program(server, key.keyManagers()) : Client.program(server);
    this.key = key;
    this.proof = proof;
    this.people = people;
    this.suffix = suffix;
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    PeopleInTurn.Turn turn = people.next();
    String name = People.name(turn.person());
    Answer answer = ask(name + suffix, OtpPeople.passcode(turn.person(), turn.step()), "");
    if (answer.status() != 200 || !answer.body().contains("\"accept\"")) {
      throw new IOException("not accepted: " + name + ": " + answer.status() + " " + answer.body());
    }
    return 1;
  }

  /** @param challenge that is answered, or empty */
  Answer ask(String name, String passcode, String challenge) throws IOException {
    String form =
        "name=" + name + "&passcode=" + passcode + (challenge.isEmpty() ? "" : "&challenge=" + challenge)
            + switch (proof) {
              case CERTIFICATE -> "&client_id=" + AgentKey.AGENT;
              case ASSERTION ->
                  "&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=" + key.assertion();
            };
    return client.send(client.post(PATH, form));
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
