"""For a cluster: the name of its entry point is the scheme of its addresses, such as `slurm` of `slurm://queue`."""

from grader.doctor.doctor import Examination
from grader.engine.batch import Connector, Machines, Step
from grader.engine.cache.keys import Known
from grader.engine.run_config import RunConfig
from grader.engine.worker import MarkedSubmission, WorkItem
from grader.intake import Candidate
from grader.model.task import Task
from grader.sandbox.driver import Driver, Guarantee

__all__ = [
    "Candidate",
    "Connector",
    "Driver",
    "Examination",
    "Guarantee",
    "Known",
    "Machines",
    "MarkedSubmission",
    "RunConfig",
    "Step",
    "Task",
    "WorkItem",
]
