package dev.gatehouse.gateway.effect;

import java.util.List;

/**
 * The effect of a proposed configuration on the people whose requests were recorded.
 *
 * @param recorded decisions of the last day that were recorded, as far as they can be read
 * @param asked those that were asked again; fewer if the time was over
 * @param coverage the share of the last day's distinct decisions that were asked again, from 0 to 1
 * @param gains requests that only the proposed configuration permits
 * @param losses requests that only the configuration in use permits
 * @param moreGains the number of those that are not listed
 * @param moreLosses the number of those that are not listed
 * @param unknownAttributes attributes that the proposed policies name and that were not recorded: taken as absent
 */
public record Effect(
    long recorded,
    long asked,
    double coverage,
    List<Change> gains,
    List<Change> losses,
    long moreGains,
    long moreLosses,
    List<String> unknownAttributes) {

  /**
   * A request that a person would gain or lose.
   *
   * @param person the user name
   * @param reason of the proposed configuration
   */
  public record Change(String realm, String person, String method, String url, String reason) {}
}
