package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A check by a table: each passcode counts once, {@code next} and {@code new} in its place ask for more, and a challenge belongs to its
 * client. It remembers what it was asked.
 */
final class TablePasscodes implements PasscodeCheck {

  private record Waiting(String client, String name, Question question) {}

  private final Map<String, Set<String>> roles = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> passcodes = new ConcurrentHashMap<>();
  private final Map<String, Waiting> challenges = new ConcurrentHashMap<>();
  final List<PasscodeAttempt> asked = new CopyOnWriteArrayList<>();
  volatile boolean unavailable;
  volatile CountDownLatch open = new CountDownLatch(0);

  TablePasscodes person(String name, Set<String> role, String... codes) {
    roles.put(name, role);
    passcodes.computeIfAbsent(name, n -> ConcurrentHashMap.newKeySet()).addAll(List.of(codes));
    return this;
  }

  @Override
  public PasscodeResult check(PasscodeAttempt attempt) {
    asked.add(attempt);
    try {
      open.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (unavailable) {
      throw new PasscodeStoreUnavailable(new IOException("the test took it away"));
    }
    if (attempt.passcode().equals("next")) {
      return challenge(attempt, Question.NEXT_CODE);
    }
    if (attempt.passcode().equals("server")) {
      return challenge(attempt, Question.SERVER_PIN);
    }
    if (attempt.passcode().equals("new")) {
      return challenge(attempt, Question.NEW_PIN);
    }
    return counted(attempt);
  }

  private PasscodeResult counted(PasscodeAttempt attempt) {
    Set<String> codes = passcodes.getOrDefault(attempt.name(), Set.of());
    if (!roles.containsKey(attempt.name())) {
      return new Refused(Reason.UNKNOWN_PERSON);
    }
    return codes.remove(attempt.passcode()) ? new Accepted(person(attempt.name()), "12345") : new Refused(Reason.WRONG_PASSCODE);
  }

  private Person person(String name) {
    return new Person(new PersonId("id-" + name), name, "uid=" + name, Map.of(), List.of(), roles.getOrDefault(name, Set.of()));
  }

  private PasscodeResult challenge(PasscodeAttempt attempt, Question question) {
    String reference = "reference-" + asked.size();
    challenges.put(reference, new Waiting(attempt.client(), attempt.name(), question));
    return new Challenged(question, reference, question == Question.SERVER_PIN ? Optional.of("583914") : Optional.empty());
  }

  @Override
  public PasscodeResult answer(String reference, PasscodeAttempt attempt) {
    asked.add(attempt);
    Waiting waiting = challenges.get(reference);
    if (waiting == null || !waiting.client().equals(attempt.client()) || !waiting.name().equals(attempt.name())) {
      return new Refused(Reason.CHALLENGE_UNKNOWN);
    }
    challenges.remove(reference);
    return switch (waiting.question()) {
      case NEXT_CODE -> counted(attempt);
      case NEW_PIN -> challenge(attempt, Question.NEW_PIN_AGAIN);
      case NEW_PIN_AGAIN -> challenge(attempt, Question.SERVER_PIN);
      case SERVER_PIN, RESPONSE, PASSCODE_WITH_NEW_PIN -> counted(attempt);
    };
  }
}
