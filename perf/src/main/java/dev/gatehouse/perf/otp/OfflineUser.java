package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent that lets one person after the other in, and fetches with each login what it needs for days without a server; or that reports
 * then what it decided alone.
 */
final class OfflineUser implements ClosedLoad.User {

  /** The numbers of days that agents may have. */
  static final List<Integer> DAYS = List.of(1, 3, 30);

  private static final String PATH = "/realms/" + OtpPeople.REALM + "/otp/v1/";
  private static final Pattern TICKET = Pattern.compile("\"offline\":\"([^\"]+)\"");

  private final Client client;
  private final String agent;
  private final PeopleInTurn people;
  private final WireBytes bytes;
  private final boolean reports;
  private final Random random = new Random();

  /**
   * @param bytes of the request and its answer that follow the login
   * @param reports what was decided without a server, instead of fetching days
   */
  OfflineUser(OtpServer server, int days, boolean reports, PeopleInTurn people, WireBytes bytes) throws IOException {
    URI url = server.url(AgentUser.Proof.CERTIFICATE);
    this.client = Client.program(url, server.agentKey().keyManagers());
    this.agent = "&client_id=" + agent(days);
    this.people = people;
    this.bytes = bytes;
    this.reports = reports;
  }

  /** The client ID of the agent that has so many days. */
  static String agent(int days) {
    return AgentKey.AGENT + "-" + days;
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    PeopleInTurn.Turn turn = people.next();
    String form = "name=" + People.name(turn.person()) + "&passcode=" + OtpPeople.passcode(turn.person(), turn.step()) + agent;
    Answer login = client.send(client.post(PATH + "authentications", form));
    Matcher ticket = TICKET.matcher(login.body());
    if (!ticket.find()) {
      throw new IOException("no ticket: " + People.name(turn.person()) + ": " + login.status() + " " + login.body());
    }
    String request = reports ? uses(ticket.group(1), turn) : client.post(PATH + "offline-days", "ticket=" + ticket.group(1) + agent);
    Answer answer = client.send(request);
    if (answer.status() != 200 || !answer.body().contains(reports ? "\"taken\"" : "\"days\"")) {
      throw new IOException("not what was asked for: " + answer.status() + " " + answer.body());
    }
    bytes.add(request.length() + answer.body().length());
    return 1;
  }

  /** The report of one passcode, of the time step before that of the login. */
  private String uses(String ticket, PeopleInTurn.Turn turn) {
    byte[] id = new byte[16];
    random.nextBytes(id);
    String use = HexFormat.of().formatHex(id) + "+" + (System.currentTimeMillis() / 1000 - 30) + "+accept+" + (turn.step() - 1);
    return client.post(PATH + "offline-uses", "ticket=" + ticket + "&uses=" + use + agent);
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
