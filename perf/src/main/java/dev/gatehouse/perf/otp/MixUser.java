package dev.gatehouse.perf.otp;

import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.Latencies;
import dev.gatehouse.perf.http.Answer;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * One of the callers of the mix: a VPN server, an agent and a help desk, for people of its own. Most of what it does are authentications; of
 * a hundred, about seven are followed by help of a help desk, and some codes are wrong or come again.
 */
final class MixUser implements AutoCloseable {

  private static final Pattern CHALLENGE = Pattern.compile("\"challenge\":\"([^\"]+)\"");

  /** Above the numbers of people, for the seeds of tokens that are new. */
  private static final int NEW_SEEDS = 1_000_000_000;

  /** What a caller does, and how often in a thousand times. */
  private enum Work {
    REST(435),
    RADIUS(435),
    AGAIN(20),
    WRONG(40),
    NEW_PIN(10),
    LOST(10),
    DISABLED(10),
    FIELDS(15),
    UNLOCKED(10),
    SHOWN(10),
    NEW_TOKEN(5);

    private final int share;

    Work(int share) {
      this.share = share;
    }

    static Work random(Random random) {
      int left = random.nextInt(1000);
      for (Work work : values()) {
        left -= work.share;
        if (left < 0) {
          return work;
        }
      }
      throw new IllegalStateException("the shares are not a thousand");
    }
  }

  /** A code that should have counted and did not, or the reverse. */
  static final class Unexpected extends Exception {
    private static final long serialVersionUID = 1L;

    Unexpected(String message) {
      super(message);
    }
  }

  private final PeopleInTurn people;
  private final AgentUser agent;
  private final RadiusUser vpn;
  private final AdminCalls desk;
  private final OtpLedger ledger;
  private final AtomicLong numbers;
  private final Random random = new Random();
  private final Map<Integer, String> pins = new HashMap<>();
  private final Set<Integer> withNewToken = new HashSet<>();
  private final Latencies latencies = new Latencies();
  private long authentications;

  /** @param numbers of PINs and labels, so that no two are the same */
  MixUser(OtpServer server, PeopleInTurn people, AdminCalls desk, OtpLedger ledger, AtomicLong numbers) throws IOException {
    this.people = people;
    this.agent = new AgentUser(server.url(AgentUser.Proof.CERTIFICATE), server.agentKey(), AgentUser.Proof.CERTIFICATE, people, "");
    this.vpn = new RadiusUser(server.ports().radius(), people, new WireBytes());
    this.desk = desk;
    this.ledger = ledger;
    this.numbers = numbers;
  }

  /** Decisions about passcodes that it asked for. */
  long authentications() {
    return authentications;
  }

  Latencies latencies() {
    return latencies;
  }

  /** The PINs that people have chosen, by number of the person. */
  Map<Integer, String> pins() {
    return pins;
  }

  /** Does one thing. */
  void once() throws IOException, InterruptedException, Unexpected {
    PeopleInTurn.Turn turn = people.next();
    switch (Work.random(random)) {
      case REST -> right(turn, false);
      case RADIUS -> right(turn, true);
      case AGAIN -> {
        right(turn, true);
        refused(turn, passcode(turn), false, "a code that came again");
        ledger.count("codes again, refused");
      }
      case WRONG -> {
        refused(turn, pin(turn.person()) + OtpPeople.wrongCode(turn.person(), turn.step()), random.nextBoolean(), "a wrong code");
        ledger.count("wrong codes, refused");
        right(turn, random.nextBoolean());
      }
      case NEW_PIN -> newPin(turn);
      case LOST -> lost(turn);
      case DISABLED -> {
        desk.ask("POST", token(turn) + "/disable");
        try {
          refused(turn, passcode(turn), false, "a code of a disabled token");
        } finally {
          desk.ask("POST", token(turn) + "/enable");
        }
        ledger.changed("tokens disabled and enabled", "state of " + OtpPeople.serial(turn.person()), "ENABLED");
        right(turn, false);
      }
      case FIELDS -> {
        fields(turn);
        right(turn, true);
      }
      case UNLOCKED -> {
        desk.ask("POST", "realms/" + OtpPeople.REALM + "/tokens/people/unlock?person=" + People.name(turn.person()));
        ledger.count("people unlocked");
        right(turn, true);
      }
      case SHOWN -> {
        desk.ask("GET", "realms/" + OtpPeople.REALM + "/tokens/people?person=" + People.name(turn.person()));
        ledger.count("people looked up");
        right(turn, false);
      }
      case NEW_TOKEN -> newToken(turn);
    }
  }

  private String pin(int person) {
    return pins.getOrDefault(person, OtpPeople.PIN);
  }

  private String passcode(PeopleInTurn.Turn turn) {
    return pin(turn.person()) + OtpPeople.code(turn.person(), turn.step());
  }

  private static String token(PeopleInTurn.Turn turn) {
    return "realms/" + OtpPeople.REALM + "/tokens/" + OtpPeople.serial(turn.person());
  }

  /** The right passcode counts, unless it has the digits of the one before, which was used: a node cannot tell it from that one. */
  private void right(PeopleInTurn.Turn turn, boolean byRadius) throws IOException, Unexpected {
    if (!isAccepted(turn.person(), passcode(turn), byRadius)) {
      if (!hasUsedDigits(turn)) {
        throw new Unexpected("refused: the right code of " + People.name(turn.person()) + " at " + turn.step());
      }
      ledger.count("codes with the digits of the one before, refused");
      return;
    }
    ledger.accepted(OtpPeople.serial(turn.person()), turn.step());
  }

  private boolean hasUsedDigits(PeopleInTurn.Turn turn) {
    long before = turn.step() - 1;
    return ledger.hasCounted(OtpPeople.serial(turn.person()), before)
        && OtpPeople.code(turn.person(), before).equals(OtpPeople.code(turn.person(), turn.step()));
  }

  /** The passcode does not count, unless another token of the person happens to have that code now. */
  private void refused(PeopleInTurn.Turn turn, String passcode, boolean byRadius, String what) throws IOException, Unexpected {
    if (!isAccepted(turn.person(), passcode, byRadius)) {
      return;
    }
    String code = passcode.substring(passcode.length() - OtpPeople.DIGITS);
    if (!withNewToken.contains(turn.person()) || !OtpPeople.codesNear(NEW_SEEDS + turn.person(), turn.step()).contains(code)) {
      throw new Unexpected("accepted: " + what + " of " + People.name(turn.person()) + " at " + turn.step());
    }
    ledger.count("codes that the person's other token had, too");
  }

  private boolean isAccepted(int person, String passcode, boolean byRadius) throws IOException {
    long begun = System.nanoTime();
    authentications += byRadius ? 1 : 0;
    boolean accepted =
        byRadius ? vpn.ask(People.name(person), passcode) == PacketCode.ACCESS_ACCEPT : answer(person, passcode, "").contains("\"accept\"");
    latencies.add(System.nanoTime() - begun);
    return accepted;
  }

  /** What REST says about a passcode. */
  private String answer(int person, String passcode, String challenge) throws IOException {
    authentications++;
    Answer answer = agent.ask(People.name(person), passcode, challenge);
    if (answer.status() != 200) {
      throw new IOException("status " + answer.status() + " " + answer.body());
    }
    return answer.body();
  }

  /** The help desk gives a temporary PIN, with which the person chooses another one. */
  private void newPin(PeopleInTurn.Turn turn) throws IOException, InterruptedException, Unexpected {
    String name = People.name(turn.person());
    JsonNode given = desk.ask("POST", "realms/" + OtpPeople.REALM + "/tokens/people/pin?person=" + name);
    String chosen = freshPin();
    String temporary = given.path("pin").asString("");
    String first = challenge(answer(turn.person(), temporary + OtpPeople.code(turn.person(), turn.step()), ""), name);
    String second = challenge(answer(turn.person(), chosen, first), name);
    // From here on it may be the PIN, also if the answer is lost.
    String said = answer(turn.person(), chosen, second);
    if (!said.contains("\"accept\"")) {
      throw new Unexpected("no new PIN for " + name + ": " + said);
    }
    pins.put(turn.person(), chosen);
    ledger.accepted(OtpPeople.serial(turn.person()), turn.step());
    ledger.changed("PINs changed", "PIN of " + name, chosen);
  }

  private static String challenge(String answer, String name) throws Unexpected {
    Matcher matcher = CHALLENGE.matcher(answer);
    if (!matcher.find()) {
      throw new Unexpected("no challenge for the new PIN of " + name + ": " + answer);
    }
    return matcher.group(1);
  }

  /** Six digits that no former PIN of the person has, and that are no run such as 246802, which a node refuses. */
  private String freshPin() {
    while (true) {
      String pin = String.format(Locale.ROOT, "%06d", 104_729 + numbers.incrementAndGet() * 7 % 800_000);
      if (IntStream.range(1, pin.length()).map(i -> (pin.charAt(i) - pin.charAt(i - 1) + 10) % 10).distinct().count() > 1) {
        return pin;
      }
    }
  }

  /** A temporary password, while a token is lost that is found again. */
  private void lost(PeopleInTurn.Turn turn) throws IOException, InterruptedException, Unexpected {
    String person = "?person=" + People.name(turn.person());
    desk.ask("POST", token(turn) + "/lost");
    JsonNode made = desk.ask("POST", "realms/" + OtpPeople.REALM + "/tokens/people/stand-in" + person, "{\"kind\": \"password\"}");
    if (!isAccepted(turn.person(), pin(turn.person()) + made.path("values").path(0).asString(""), false)) {
      throw new Unexpected("refused: the temporary password of " + People.name(turn.person()));
    }
    ledger.count("temporary passwords used");
    desk.ask("POST", token(turn) + "/found");
    ledger.changed("tokens lost and found", "state of " + OtpPeople.serial(turn.person()), "ENABLED");
    right(turn, true);
  }

  private void fields(PeopleInTurn.Turn turn) throws IOException, InterruptedException {
    String label = "number " + numbers.incrementAndGet();
    desk.change(token(turn) + "/fields", "{\"label\": \"" + label + "\", \"note\": \"of the benchmark\"}");
    ledger.changed("fields edited", "label of " + OtpPeople.serial(turn.person()), label);
  }

  /** A token of a file of seeds, which is assigned and counts at once. */
  private void newToken(PeopleInTurn.Turn turn) throws IOException, InterruptedException, Unexpected {
    if (!withNewToken.add(turn.person())) {
      right(turn, false);
      return;
    }
    int seed = NEW_SEEDS + turn.person();
    String serial = "new" + People.name(turn.person());
    String csv = "serial,seed_hex\\n" + serial + "," + HexFormat.of().formatHex(OtpPeople.seed(seed)) + "\\n";
    String tokens = "realms/" + OtpPeople.REALM + "/tokens/";
    // A realm brings in one file after the other.
    synchronized (desk) {
      desk.job(tokens + "import", "{\"format\": \"csv\", \"content\": \"" + csv + "\"}");
    }
    desk.ask("POST", tokens + serial + "/assign?person=" + People.name(turn.person()));
    ledger.changed("new tokens", "person of " + serial, People.name(turn.person()));
    if (!isAccepted(turn.person(), pin(turn.person()) + OtpPeople.code(seed, turn.step()), false)) {
      throw new Unexpected("refused: a code of the new token " + serial);
    }
    ledger.accepted(serial, turn.step());
  }

  /** Goes on after a request without an answer. */
  void reconnect() throws IOException {
    agent.reconnect();
    vpn.reconnect();
  }

  /** Returns the PIN that a person has chosen, if it counts with the next code. */
  Optional<String> pinNow(int person) throws IOException {
    PeopleInTurn.Turn turn = people.next(person);
    String pin = pin(person);
    boolean counts = isAccepted(person, pin + OtpPeople.code(person, turn.step()), false);
    if (counts) {
      ledger.accepted(OtpPeople.serial(person), turn.step());
    }
    return counts ? Optional.of(pin) : Optional.empty();
  }

  @Override
  public void close() throws IOException {
    agent.close();
    vpn.close();
  }

  /** Closes all of them. */
  static void close(List<MixUser> users) throws IOException {
    for (MixUser user : users) {
      user.close();
    }
  }
}
