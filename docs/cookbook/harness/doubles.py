"""Doubles for the alarm: they stand for the mail server and the clock."""

from alarm import Alarm


class Outbox:
    def __init__(self, fails=False):
        self.fails = fails
        self.sent = []

    def send(self, text):
        if self.fails:
            raise ConnectionError("no mail server")
        self.sent.append(text)


class Clock:
    def __init__(self):
        self.hours = 0

    def hour(self):
        return self.hours


def messages_for(degrees):
    outbox = Outbox()
    alarm = Alarm(outbox, Clock())
    for each in degrees:
        alarm.measured(each)
    return outbox.sent


def hours_of_alarms(degrees):
    clock = Clock()
    alarm = Alarm(Outbox(), clock)
    for each in degrees:
        alarm.measured(each)
        clock.hours += 1
    return alarm.hours
